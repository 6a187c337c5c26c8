import DropControl
import DropSystem

/// Formats sizes, rates and times for people.
enum Amounts {
  /// Formats a size in powers of 1,000, such as `999 B`, `1.2 kB` or `45 MB`.
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

  static func rate(_ bytesPerSecond: Double) -> String {
    // A rate that does not fit into an integer cannot be real.
    guard let count = Int64(exactly: bytesPerSecond.rounded()) else { return "" }
    return bytes(count) + "/s"
  }

  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Formats a timestamp in local time; returns it unchanged if it is not a timestamp.
  static func local(_ timestamp: String) -> String {
    guard let wallTime = WallTime(timestamp) else { return TerminalText.safe(timestamp) }
    let time = LocalTime.components(at: wallTime.seconds)
    return "\(time.year)-\(two(time.month))-\(two(time.day)) \(two(time.hour)):\(two(time.minute)):\(two(time.second))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
