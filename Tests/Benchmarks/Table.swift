internal import FoundationEssentials

/// One row of the table: a figure, what it is compared with, and its goal.
struct Row: Codable, Sendable {
  var what: String
  /// Our figure and the one it is compared with, as text.
  var measured: String
  var value: Double
  /// Nil for a row that only explains another one.
  var goal: Goal?

  struct Goal: Codable, Sendable {
    var limit: Double
    var isLeast: Bool
    /// `×` for a ratio, or the unit of a figure that is not compared with another.
    var unit: String

    static func atLeast(_ limit: Double) -> Goal { Goal(limit: limit, isLeast: true, unit: "×") }
    static func atMost(_ limit: Double, _ unit: String = "×") -> Goal { Goal(limit: limit, isLeast: false, unit: unit) }
  }

  var isReached: Bool? {
    goal.map { $0.isLeast ? value >= $0.limit : value <= $0.limit }
  }
}

/// A reason why something cannot be measured on this machine. It is printed, and is not a failure.
struct Skipped: Error {
  let reason: String
}

/// The measurements, as text and as JSON.
struct Table: Codable {
  var machine: MachineFacts
  var rows: [Row] = []
  var skipped: [String] = []

  var heading: String {
    """
    \(machine.processor), \(machine.cores) cores, Linux \(machine.kernel), \(machine.fileSystem); load \(machine.load)

    \("what".padded(62)) \("reached".padded(12)) \("goal".padded(12))    measured
    """
  }

  func line(of row: Row) -> String {
    let value = "\(row.value.short) \(row.goal?.unit ?? "×")"
    let goal = row.goal.map { "\($0.isLeast ? "≥" : "≤") \($0.limit.short) \($0.unit)" } ?? ""
    let mark = row.isReached.map { $0 ? "✓" : "✗" } ?? " "
    return "\(row.what.padded(62)) \(value.padded(12)) \(goal.padded(12)) \(mark)  \(row.measured)"
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

extension String {
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Double {
  /// Three significant digits, or whole numbers with separators from 1,000.
  var short: String {
    if self >= 1000 {
      var digits = String(Int(rounded()))
      var place = digits.count - 3
      while place > 0 {
        digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        place -= 3
      }
      return digits
    }
    let decimals = self >= 100 ? 0 : self >= 10 ? 1 : 2
    let scale = decimals == 0 ? 1.0 : decimals == 1 ? 10 : 100
    let value = (self * scale).rounded() / scale
    return decimals == 0 ? String(Int(value)) : String(value)
  }

  var milliseconds: String { "\((self * 1000).short) ms" }
}

extension [Double] {
  /// The median; for an even count, the upper of the two middle values.
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
