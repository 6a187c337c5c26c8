import DropControl
import DropSystem

/// Parses times as people write them.
enum TimeArgument {
  /// Parses `500ms`, `30s`, `5min`, `2h`, `1d`, or several in a row, as in `1h30min`. A number without a unit is seconds.
  static func duration(_ text: String) -> Duration? {
    var rest = text[...]
    var sum = Duration.zero
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      // At most 300 years: longer times would overflow somewhere.
      guard let number = Int64(digits), number < 10_000_000_000, let one = units[String(unit)] else { return nil }
      sum += .milliseconds(min(number.multipliedReportingOverflow(by: one).partialValue, 10_000_000_000_000))
    }
    return sum
  }

  private static let units: [String: Int64] = [
    "": 1_000, "ms": 1, "s": 1_000, "sec": 1_000, "min": 60_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]

  /// Parses RFC 3339, a date (the start of that day in local time), `today`, `yesterday`, `now`, or an age such as `2h`.
  static func wallTime(_ text: String, now: WallTime = .now) -> WallTime? {
    switch text {
    case "now": return now
    case "today": return startOfDay(at: now.seconds)
    case "yesterday": return startOfDay(at: LocalTime.startOfDay(at: now.seconds) - 12 * 3_600)
    default: break
    }
    if let time = WallTime(text) { return time }
    // Noon in UTC is on the same date nearly everywhere on Earth.
    if let noon = WallTime(text + "T12:00:00Z") { return startOfDay(at: noon.seconds) }
    return duration(text).map { WallTime(milliseconds: now.milliseconds - $0.wholeMilliseconds) }
  }

  private static func startOfDay(at seconds: Int64) -> WallTime {
    WallTime(milliseconds: LocalTime.startOfDay(at: seconds) * 1_000)
  }
}
