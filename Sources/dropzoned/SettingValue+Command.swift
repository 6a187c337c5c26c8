internal import DropEngine
internal import DropSystem

extension SettingValue {
  /// Parses a command: a program, whose path is made absolute, and its arguments.
  func command() throws(BadValue) -> [String] {
    var words = try words()
    guard let program = words.first, !program.isEmpty else { throw BadValue("does not name a program") }
    guard !program.contains("/") else {
      guard program.hasPrefix("/") else {
        throw BadValue("'\(Escaping.escape(program))' is not absolute; write the full path, beginning with '/'")
      }
      return words
    }
    let directories = (context.searchPath ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    let found = directories.lazy.map { "\($0)/\(program)" }.first { $0.hasPrefix("/") && Executables.isExecutable($0) }
    guard let found else {
      throw BadValue("'\(Escaping.escape(program))' is not in PATH; write the full path, beginning with '/'")
    }
    words[0] = found
    return words
  }

  /// Splits the value as systemd splits `ExecStart=`: at white space, with both kinds of quotes and with C escapes.
  /// Nothing is expanded, and no shell is involved.
  private func words() throws(BadValue) -> [String] {
    var splitter = WordSplitter(rest: Array(raw.utf8)[...])
    var words: [String] = []
    while let word = try splitter.next() {
      guard let text = String(validating: word, as: UTF8.self), !word.contains(0) else {
        throw BadValue("has an argument that is not valid text")
      }
      guard word.count < Self.argumentLimit else {
        throw BadValue("has an argument of more than \(Self.argumentLimit - 1) bytes")
      }
      words.append(text)
    }
    return words
  }

  /// MAX_ARG_STRLEN, including the final zero; see execve(2).
  private static let argumentLimit = 131_072
}

private struct WordSplitter {
  var rest: ArraySlice<UInt8>

  /// Returns the next word; nil at the end.
  mutating func next() throws(BadValue) -> [UInt8]? {
    rest = rest.drop(while: Self.isSpace)
    guard !rest.isEmpty else { return nil }
    var word: [UInt8] = []
    var quote: UInt8?
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): word += try escaped()
      case quote: quote = nil
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else { word.append(byte) }
      case _ where quote == nil && Self.isSpace(byte): return word
      default: word.append(byte)
      }
    }
    if let quote { throw BadValue("has no closing \(quote == UInt8(ascii: "'") ? "single" : "double") quote") }
    return word
  }

  private mutating func escaped() throws(BadValue) -> [UInt8] {
    guard let byte = rest.popFirst() else { throw BadValue("ends with a backslash; write '\\\\' for a literal one") }
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ";"): return [byte]
    case UInt8(ascii: "s"), UInt8(ascii: " "): return [0x20]
    case UInt8(ascii: "a"): return [0x07]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "v"): return [0x0B]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "x"): return [try number(digits: 2, radix: 16)]
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      return [try number([byte], digits: 3, radix: 8)]
    default:
      throw BadValue("has the unknown escape '\\\(Escaping.escape([byte]))'; write '\\\\' for a backslash")
    }
  }

  /// Reads a number with `digits` digits, of which `start` has already been read.
  private mutating func number(_ start: [UInt8] = [], digits: Int, radix: Int) throws(BadValue) -> UInt8 {
    let more = digits - start.count
    let text = String(decoding: start + rest.prefix(more), as: UTF8.self)
    guard text.utf8.count == digits, !text.hasPrefix("+"), !text.hasPrefix("-"), let byte = UInt8(text, radix: radix)
    else {
      throw BadValue("has an escape that needs \(digits) \(radix == 8 ? "octal" : "hexadecimal") digits")
    }
    rest = rest.dropFirst(more)
    return byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }
}
