internal import DropEngine

extension KeyFile {
  /// Finds the groups and keys and their lines, or throws all errors in the file.
  static func scan(_ bytes: [UInt8]) throws(KeyFileErrors) -> [Group] {
    guard bytes.count <= sizeLimit else {
      throw KeyFileErrors(line: nil, "the file is longer than \(sizeLimit) bytes")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw KeyFileErrors(line: 1, "the file begins with a byte order mark; save it as UTF-8 without one")
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw KeyFileErrors(line: 1, "the file is UTF-16; save it as UTF-8")
    }
    var scan = KeyFileScan()
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard scan.read(line, number: index + 1) else { break }
    }
    guard scan.problems.isEmpty else { throw KeyFileErrors(scan.problems) }
    return scan.groups
  }
}

/// One pass over the lines of a key file.
struct KeyFileScan {
  var groups: [KeyFile.Group] = []
  var problems: [KeyFileErrors.Problem] = []
  private var groupLines: [String: Int] = [:]
  private var keyLines: [String: Int] = [:]
  /// After this many problems, the file is probably not a key file, and reading stops.
  private static let problemLimit = 20

  /// Reads one line. Returns false if reading more lines makes no sense.
  mutating func read(_ line: ArraySlice<UInt8>, number: Int) -> Bool {
    if line.contains(0) {
      complain(number, "the line contains a zero byte; this is not a text file")
      return false
    }
    if line.last == UInt8(ascii: "\r") {
      complain(number, "the line ends with CR LF; save the file with LF line endings")
      return false
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      complain(number, "the line is not valid UTF-8")
      return problems.count < Self.problemLimit
    }
    let content = line.trimmingSpace
    switch content.first {
    case nil, UInt8(ascii: "#"): break
    case UInt8(ascii: ";"): complain(number, "comments begin with '#'")
    case UInt8(ascii: "["): begin(content, number)
    default: add(content, number, shown: text)
    }
    return problems.count < Self.problemLimit
  }

  private mutating func begin(_ line: ArraySlice<UInt8>, _ number: Int) {
    keyLines = [:]
    let name = line.dropFirst().dropLast()
    let text = String(decoding: name, as: UTF8.self)
    guard line.count > 2, line.last == UInt8(ascii: "]"), !name.contains(where: \.endsGroupName) else {
      complain(number, "'\(shown(line))' is not a group; write its name in brackets, such as '[Zone]'")
      // The following keys belong to a group without a name, but are checked all the same.
      groups.append(KeyFile.Group(name: text, line: number, entries: []))
      return
    }
    if let earlier = groupLines[text] {
      complain(number, "the group '[\(shown(name))]' is already in line \(earlier)")
    }
    groupLines[text] = number
    groups.append(KeyFile.Group(name: text, line: number, entries: []))
  }

  private mutating func add(_ line: ArraySlice<UInt8>, _ number: Int, shown text: String) {
    guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
      return complain(number, "'\(shown(line))' is neither a group nor KEY=VALUE")
    }
    let name = line[..<equals].trimmingSpace
    guard Self.isKey(name) else {
      return complain(number, name.isEmpty ? "there is no key before '='" : "'\(shown(name))' is not a valid key")
    }
    let key = String(decoding: name, as: UTF8.self)
    guard let group = groups.indices.last else {
      return complain(number, "'\(key)' comes before the first group, such as '[Zone]'")
    }
    if let earlier = keyLines[key] {
      return complain(number, "'\(key)' is already in line \(earlier)")
    }
    keyLines[key] = number
    groups[group].entries.append(KeyFile.Entry(key: key, value: "", line: number))
  }

  /// Whether it consists of letters, digits and `-`. A language in brackets is accepted here, and refused with the key.
  private static func isKey(_ name: ArraySlice<UInt8>) -> Bool {
    let plain = name.prefix { $0 != UInt8(ascii: "[") }
    guard !plain.isEmpty, plain.allSatisfy(\.isKeyByte) else { return false }
    guard plain.count < name.count else { return true }
    let language = name.dropFirst(plain.count + 1).dropLast()
    return name.last == UInt8(ascii: "]") && !language.isEmpty
      && language.allSatisfy { $0.isKeyByte || "_.@".utf8.contains($0) }
  }

  private mutating func complain(_ line: Int, _ message: String) {
    problems.append(KeyFileErrors.Problem(line: line, message: message))
  }

  private func shown(_ bytes: ArraySlice<UInt8>) -> String {
    Escaping.escape(Array(bytes.prefix(60))) + (bytes.count > 60 ? "…" : "")
  }
}

extension UInt8 {
  /// White space as GLib sees it, which leaves out the vertical tab.
  var isASCIISpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D && self != 0x0B) }

  fileprivate var isKeyByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  fileprivate var endsGroupName: Bool {
    self == UInt8(ascii: "[") || self == UInt8(ascii: "]") || self < 0x20 || self == 0x7F
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingSpace: ArraySlice<UInt8> {
    let end = lastIndex { !$0.isASCIISpace }
    guard let end else { return [] }
    return self[...end].drop(while: \.isASCIISpace)
  }
}
