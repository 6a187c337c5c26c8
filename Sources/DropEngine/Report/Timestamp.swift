/// Formats and parses times as in receipts: RFC 3339, in UTC, with milliseconds.
package enum Timestamp {
  /// Formats milliseconds since 1970, as in `2026-03-01T07:08:09.010Z`.
  package static func text(_ milliseconds: Int64) -> String {
    let seconds = milliseconds.flooredQuotient(by: 1000)
    let day = seconds.flooredQuotient(by: 86_400)
    let (year, month, date) = civil(day)
    let rest = seconds - day * 86_400
    var text = Array(String(year).utf8)
    text.insert(contentsOf: repeatElement(48, count: max(0, 4 - text.count)), at: 0)
    func add(_ mark: Unicode.Scalar, _ value: Int64, hundreds: Bool = false) {
      text.append(UInt8(ascii: mark))
      if hundreds { text.append(UInt8(48 + value / 100)) }
      text.append(UInt8(48 + value / 10 % 10))
      text.append(UInt8(48 + value % 10))
    }
    text.reserveCapacity(24)
    add("-", month)
    add("-", date)
    add("T", rest / 3600)
    add(":", rest / 60 % 60)
    add(":", rest % 60)
    add(".", milliseconds - seconds * 1000, hundreds: true)
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses RFC 3339 with `Z` or an offset; nil if `text` is something else.
  package static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (48...57).contains($0) }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
    guard bytes.count >= 20, bytes[4] == 45, bytes[7] == 45, bytes[13] == 58, bytes[16] == 58,
      bytes[10] | 32 == 116 || bytes[10] == 32, let year = number(0..<4), let month = number(5..<7),
      let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var index = 19
    var fraction: Int64 = 0
    if bytes[index] == 46 {
      index += 1
      var scale: Int64 = 100
      while index < bytes.count, (48...57).contains(bytes[index]) {
        fraction += Int64(bytes[index] - 48) * scale
        scale /= 10
        index += 1
      }
      guard index > 20 else { return nil }
    }
    var offset: Int64 = 0
    let zone = bytes[index...]
    if let sign = zone.first, sign == 43 || sign == 45 {
      guard zone.count == 6, bytes[index + 3] == 58, let hours = number(index + 1..<index + 3),
        let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == 43 ? 60 : -60)
    } else if !(zone.count == 1 && bytes[index] | 32 == 122) {
      return nil
    }
    let days = days(year: year, month: month, day: day)
    // A day that the month does not have would be a day of the next month.
    guard civil(days).day == day else { return nil }
    return ((days * 24 + hour) * 60 + minute) * 60_000 + (second - offset) * 1000 + fraction
  }

  /// The proleptic Gregorian date of a day counted from 1970-01-01, by Howard Hinnant's `civil_from_days`.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// The inverse, `days_from_civil`.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}
