internal import CLinux
internal import DropEngine
internal import Glibc

/// The day in UTC on which a file of a database was last written.
enum FileDate {
  static func day(ofChangeTo path: String) -> String? {
    var status = stat()
    guard unsafe RawPath(path).withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    return day(ofSecond: Int(status.st_mtim.tv_sec))
  }

  /// Computes a date of the Gregorian calendar. Years are counted from March, so that the leap day is the last day.
  static func day(ofSecond second: Int) -> String {
    let days = (second >= 0 ? second : second - 86_399) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(padded(month))-\(padded(day))"
  }
}
