internal import FoundationEssentials

/// One line of the table: a figure, what it is measured against, and what it has to reach.
struct Row: Codable, Sendable {
  var what: String
  /// Ours and what it is compared with, in words.
  var measured: String
  var value: Double
  /// Nil for what only explains another.
  var goal: Goal?

  struct Goal: Codable, Sendable {
    var limit: Double
    var isLeast: Bool
    /// `×`, or the unit of a figure that stands alone.
    var unit: String

    static func atLeast(_ limit: Double) -> Goal { Goal(limit: limit, isLeast: true, unit: "×") }
    static func atMost(_ limit: Double, _ unit: String = "×") -> Goal { Goal(limit: limit, isLeast: false, unit: unit) }
  }

  var isReached: Bool? {
    goal.map { $0.isLeast ? value >= $0.limit : value <= $0.limit }
  }
}

/// Why something cannot be measured here; said, and not a failure.
struct Skipped: Error {
  let reason: String
}

/// What was measured, as text and as JSON.
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
  /// Three digits that count, with separators where there are more.
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
  /// The middle one; where there are two, the one above.
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
