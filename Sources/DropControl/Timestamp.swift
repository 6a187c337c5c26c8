internal import DropSystem

/// A moment, to the millisecond, as receipts and changes carry it.
package struct Timestamp: Hashable, Sendable, Comparable {
  /// Since 1970, without leap seconds.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static var now: Timestamp { Timestamp(milliseconds: WallClock.milliseconds) }

  /// Whole seconds, rounded down.
  package var seconds: Int64 { milliseconds.floored(by: 1_000).quotient }

  package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339, in UTC: `2026-03-01T09:30:00.250Z`.
  package var description: String {
    let (day, time) = milliseconds.floored(by: 86_400_000)
    let date = CivilDate(day: day)
    let clock = [time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60].map { Self.padded($0, 2) }
    return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.dayOfMonth, 2))T"
      + clock.joined(separator: ":") + ".\(Self.padded(time % 1_000, 3))Z"
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Reads RFC 3339 with any offset; fractions beyond the millisecond are dropped. Nil when it is none.
  package init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int) -> Int64? {
      let part = rest.prefix(digits)
      guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(digits)
      return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    func skip(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("Tt "),
      let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
      (1...12).contains(month), (1...CivilDate.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var fraction: Int64 = 0
    if skip(".") {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      for place in 0..<3 { fraction = fraction * 10 + (digits.dropFirst(place).first.map { Int64($0 - 0x30) } ?? 0) }
    }
    var offset: Int64 = 0
    if !skip("Zz") {
      let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
      guard skip("+-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else {
        return nil
      }
      offset = sign * (hours * 60 + minutes)
    }
    guard rest.isEmpty else { return nil }
    let days = CivilDate(year: year, month: month, dayOfMonth: day).day
    milliseconds = (((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1_000 + fraction
  }
}

/// A day of the Gregorian calendar. The arithmetic counts years from March, so that a leap day is a year's last.
struct CivilDate: Hashable, Sendable {
  let year, month, dayOfMonth: Int64

  init(year: Int64, month: Int64, dayOfMonth: Int64) {
    self.year = year
    self.month = month
    self.dayOfMonth = dayOfMonth
  }

  /// `day` counts from 1 January 1970.
  init(day: Int64) {
    let (era, dayOfEra) = (day + Self.daysBefore1970).floored(by: Self.daysOfEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var day: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).floored(by: 400)
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + dayOfMonth - 1
    return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysBefore1970
  }

  static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static let daysOfEra: Int64 = 146_097
  /// From 1 March of the year 0.
  private static let daysBefore1970: Int64 = 719_468
}

extension Int64 {
  /// Division that rounds down, so that the remainder is never negative.
  func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = ((self % divisor) + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}
