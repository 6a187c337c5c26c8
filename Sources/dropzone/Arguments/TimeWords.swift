import DropControl
import DropSystem

/// Times as people write them.
enum TimeWords {
  /// `500ms`, `30s`, `5min`, `2h`, `1d`, also several one after the other: `1h30min`. A bare number is seconds.
  static func duration(_ text: String) -> Duration? {
    var rest = text[...]
    var sum = Duration.zero
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      // Up to 300 years: what is longer overflows somewhere.
      guard let number = Int64(digits), number < 10_000_000_000, let one = units[String(unit)] else { return nil }
      sum += .milliseconds(min(number.multipliedReportingOverflow(by: one).partialValue, 10_000_000_000_000))
    }
    return sum
  }

  private static let units: [String: Int64] = [
    "": 1_000, "ms": 1, "s": 1_000, "sec": 1_000, "min": 60_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000,
  ]

  /// A moment: RFC 3339, a date (its first moment here), `today`, `yesterday`, `now`, or how long ago it was.
  static func moment(_ text: String, now: Moment = .now) -> Moment? {
    switch text {
    case "now": return now
    case "today": return startOfDay(at: now.seconds)
    case "yesterday": return startOfDay(at: LocalTime.startOfDay(at: now.seconds) - 12 * 3_600)
    default: break
    }
    if let moment = Moment(text) { return moment }
    // Noon in UTC is the same date nearly everywhere on earth.
    if let noon = Moment(text + "T12:00:00Z") { return startOfDay(at: noon.seconds) }
    return duration(text).map { Moment(milliseconds: now.milliseconds - $0.wholeMilliseconds) }
  }

  private static func startOfDay(at seconds: Int64) -> Moment {
    Moment(milliseconds: LocalTime.startOfDay(at: seconds) * 1_000)
  }
}
