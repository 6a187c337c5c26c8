/// A position in untrusted bytes, which only moves forwards.
struct TextScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
  }

  var isAtEnd: Bool { position >= bytes.count }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func next() -> UInt8? {
    guard let byte = peek else { return nil }
    position += 1
    return byte
  }

  /// Skips spaces, tabs and line ends.
  mutating func skipSpace() {
    while let byte = peek, byte.isSpace { position += 1 }
  }

  /// Whether `word` is next, ignoring case.
  func sees(_ word: StaticString) -> Bool {
    sees(Array(word.description.utf8))
  }

  private func sees(_ word: [UInt8]) -> Bool {
    guard bytes.count - position >= word.count else { return false }
    return zip(bytes[position...], word).allSatisfy { $0.lowercased == $1.lowercased }
  }

  /// Skips `word` if it is next, ignoring case; returns whether it was.
  mutating func skip(_ word: StaticString) -> Bool {
    guard sees(word) else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  /// Moves past the next `word`, which must not begin with a letter; returns false if there is none.
  mutating func skip(through word: StaticString) -> Bool {
    let word = Array(word.description.utf8)
    while let byte = peek {
      if byte == word.first, sees(word) {
        position += word.count
        return true
      }
      position += 1
    }
    return false
  }

  mutating func skip(through byte: UInt8) -> Bool {
    while let next = next() {
      if next == byte { return true }
    }
    return false
  }

  /// Reads the name of an element or attribute.
  mutating func name() -> String? {
    guard let first = peek, first.isLetter || first == UInt8(ascii: "_") || first >= 0x80 else { return nil }
    let start = position
    while let byte = peek, byte.isLetter || byte.isDigit || byte >= 0x80 || "_:.-".utf8.contains(byte) {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads a value between two matching quotation marks.
  mutating func quoted() -> ArraySlice<UInt8>? {
    guard let mark = peek, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return nil }
    position += 1
    let start = position
    guard skip(through: mark) else { return nil }
    return bytes[start..<(position - 1)]
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased }
  var isHexDigit: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= lowercased }
  var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}
