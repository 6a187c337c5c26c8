internal import DropEngine
internal import DropSystem

/// The value of a key, before it is parsed.
struct SettingValue {
  /// The text as written, without surrounding white space; never empty.
  let raw: String
  let context: ConfigurationContext
}

/// The things outside the configuration that it refers to.
struct ConfigurationContext {
  /// Returns a message that names what is wrong with an entry of `Types=`; nil if it is valid.
  var typeProblem: (String) -> String?
  var isUser: (String) -> Bool = { Accounts.user($0) != nil }
  var isGroup: (String) -> Bool = { Accounts.group($0) != nil }
  /// The directories in which to look for commands without a slash.
  var searchPath: String?
}

/// The problems of one value; a list may have several.
struct BadValue: Error, Hashable, Sendable {
  var problems: [Problem]

  struct Problem: Hashable, Sendable {
    var message: String
    var nearest: String?
  }

  init(_ message: String, nearest: String? = nil) {
    problems = [Problem(message: message, nearest: nearest)]
  }

  init(_ problems: [Problem]) {
    self.problems = problems
  }
}

extension SettingValue {
  func boolean() throws(BadValue) -> Bool {
    switch raw.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default:
      throw BadValue(
        "is neither yes nor no", nearest: Spelling.nearest(to: raw, among: ["yes", "no", "true", "false", "on", "off"]))
    }
  }

  /// Parses a word of an enumeration. The words in `later` are known, but not supported yet.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _: Choice.Type = Choice.self, later: [Choice: String] = [:]
  ) throws(BadValue) -> Choice {
    if let choice = Choice(rawValue: raw) {
      if let instead = later[choice] { throw BadValue("is not supported yet; write \(instead)") }
      return choice
    }
    let words = Choice.allCases.filter { later[$0] == nil }.map(\.rawValue)
    throw BadValue("is not \(Self.alternatives(words))", nearest: Spelling.nearest(to: raw, among: words))
  }

  /// Parses an integer in `range`.
  func count(_ range: ClosedRange<Int>) throws(BadValue) -> Int {
    guard raw.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let number = Int(raw) else {
      throw BadValue("is not a whole number")
    }
    guard range.contains(number) else {
      throw BadValue("is not between \(range.lowerBound) and \(range.upperBound)")
    }
    return number
  }

  static func alternatives(_ words: [String]) -> String {
    let quoted = words.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}
