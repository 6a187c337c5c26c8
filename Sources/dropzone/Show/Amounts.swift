import DropControl
import DropSystem

/// Sizes, rates and times for people.
enum Amounts {
  /// `999 B`, `1.2 kB`, `45 MB`: powers of 1,000.
  static func bytes(_ count: Int64) -> String {
    if count < 1_000 { return "\(max(0, count)) B" }
    var tenths = count / 100
    for unit in ["kB", "MB", "GB", "TB"] {
      if tenths < 100 { return "\(tenths / 10).\(tenths % 10) \(unit)" }
      if tenths < 10_000 { return "\(tenths / 10) \(unit)" }
      tenths /= 1_000
    }
    return "\(tenths / 10) PB"
  }

  static func rate(_ bytesASecond: Double) -> String {
    // What does not fit a whole number is no rate of this world.
    guard let count = Int64(exactly: bytesASecond.rounded()) else { return "" }
    return bytes(count) + "/s"
  }

  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// A moment as the clock on the wall shows it; as it came, where it is none.
  static func local(_ timestamp: String) -> String {
    guard let moment = Moment(timestamp) else { return Shown.safe(timestamp) }
    let time = LocalTime.reading(at: moment.seconds)
    return "\(time.year)-\(two(time.month))-\(two(time.day)) \(two(time.hour)):\(two(time.minute)):\(two(time.second))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
