internal import DropEngine

extension SettingValue {
  /// Splits the value at `;` and trims the entries. `\;` is a literal semicolon; other backslashes are kept for the code
  /// that reads the entry.
  func list() throws(BadValue) -> [String] {
    var entries: [[UInt8]] = [[]]
    var rest = Array(raw.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: ";") {
        entries.append([])
      } else if byte == UInt8(ascii: "\\"), let next = rest.popFirst() {
        entries[entries.count - 1] += next == UInt8(ascii: ";") ? [next] : [byte, next]
      } else {
        entries[entries.count - 1].append(byte)
      }
    }
    guard entries.count <= Self.entryLimit else { throw BadValue("has more than \(Self.entryLimit) entries") }
    return entries.compactMap { entry in
      let text = Self.trimmed(entry)
      return text.isEmpty ? nil : text
    }
  }

  private static let entryLimit = 1000

  /// Removes white space at both ends, except after a backslash.
  private static func trimmed(_ entry: [UInt8]) -> String {
    var entry = entry.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = entry.last, last == 0x20 || last == 0x09, entry.dropLast().last != UInt8(ascii: "\\") {
      entry.removeLast()
    }
    return String(decoding: entry, as: UTF8.self)
  }

  /// Reads all entries, and reports all that are wrong.
  func entries<Entry>(_ read: (String) -> Result<Entry, BadValue>) throws(BadValue) -> [Entry] {
    var entries: [Entry] = []
    var problems: [BadValue.Problem] = []
    for text in try list() {
      switch read(text) {
      case .success(let entry): entries.append(entry)
      case .failure(let bad): problems += bad.problems
      }
    }
    guard problems.isEmpty else { throw BadValue(problems) }
    return entries
  }

  /// Parses a list of the words of an enumeration.
  func choices<Choice: RawRepresentable<String> & CaseIterable & Hashable>() throws(BadValue) -> Set<Choice> {
    let words = Choice.allCases.map(\.rawValue)
    let chosen = try entries { word -> Result<Choice, BadValue> in
      guard let choice = Choice(rawValue: word) else {
        return .failure(
          BadValue(
            "'\(Escaping.escape(word))' is not \(Self.alternatives(words))",
            nearest: Spelling.nearest(to: word, among: words)))
      }
      return .success(choice)
    }
    return Set(chosen)
  }

  /// Parses a list of patterns, none of which may match every name; `instead` says what to do or why.
  func patterns(instead: String) throws(BadValue) -> [String] {
    try entries { pattern in
      do {
        guard try Glob(pattern).matchesEverything else { return .success(pattern) }
        return .failure(BadValue("'\(Escaping.escape(pattern))' matches every name; \(instead)"))
      } catch {
        return .failure(BadValue("'\(Escaping.escape(pattern))' is not a valid pattern: \(error)"))
      }
    }
  }

  /// Parses a list of types, which are checked by a closure.
  func types() throws(BadValue) -> [String] {
    try entries { type in
      context.typeProblem(type).map { .failure(BadValue($0)) } ?? .success(type)
    }
  }
}
