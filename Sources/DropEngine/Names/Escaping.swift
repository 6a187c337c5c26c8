/// Turns bytes that a stranger chose into text that is safe to display.
///
/// Invalid bytes become `\xNN`; control and bidirectional characters become `\u{N}`. A backslash is escaped only if it
/// would otherwise look like one of these, so that the original bytes can be recovered.
package enum Escaping {
  package static func escape(_ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != backslash }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var shown = ""
    var rest = bytes[...]
    while let first = rest.first {
      if first == backslash {
        let next = rest.dropFirst().first
        shown += next == UInt8(ascii: "x") || next == UInt8(ascii: "u") ? "\\x5C" : "\\"
        rest = rest.dropFirst()
        continue
      }
      let length = sequenceLength(first)
      let sequence = rest.prefix(length)
      if length > 0, sequence.count == length, let text = String(validating: sequence, as: UTF8.self),
        let scalar = text.unicodeScalars.first
      {
        shown += isUnsafe(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : text
        rest = rest.dropFirst(length)
      } else {
        let hex = String(first, radix: 16, uppercase: true)
        shown += "\\x" + (hex.count == 1 ? "0" + hex : hex)
        rest = rest.dropFirst()
      }
    }
    return shown
  }

  /// Escapes text, such as the output of a handler.
  package static func escape(_ text: String) -> String {
    escape(Array(text.utf8))
  }

  private static let backslash = UInt8(ascii: "\\")

  /// The length of a UTF-8 sequence that begins with `byte`; 0 if there is none.
  private static func sequenceLength(_ byte: UInt8) -> Int {
    switch byte {
    case 0x00..<0x80: 1
    case 0xC2..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0..<0xF5: 4
    default: 0
    }
  }

  /// Whether a character is a control character, a line separator, or one of Unicode's bidirectional formatting characters,
  /// which reorder the text around them.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
