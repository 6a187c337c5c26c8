/// The beginning of a text file.
package struct TextCheck: Sendable {
  /// The text in an encoding that extends ASCII, without a byte-order mark.
  package let bytes: ArraySlice<UInt8>
  /// The signature at the beginning, if there is one.
  package let signature: Signature?
  /// The first byte that is not a space.
  package let firstByte: UInt8?

  /// Signatures of content that is run or rendered when it is opened, even if its name ends with `.txt`.
  package enum Signature: Hashable, Sendable {
    case script, php, html
  }

  /// Examines `head`; nil if it contains bytes that text does not have.
  ///
  /// UTF-16 counts as text if it has a byte order mark. Escape, bell and backspace are allowed, because logs contain them.
  package init?(_ head: [UInt8]) {
    if let text = Self.fromUTF16(head) {
      bytes = text[...]
    } else {
      bytes = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
    }
    guard bytes.allSatisfy(Self.isText) else { return nil }
    let start = bytes.drop { $0.isSpace }
    firstByte = start.first
    signature = Self.signature(of: bytes, start: start)
  }

  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 ? byte != 0x7F : (0x07...0x0D).contains(byte) || byte == 0x1B
  }

  private static func signature(of bytes: ArraySlice<UInt8>, start: ArraySlice<UInt8>) -> Signature? {
    // The kernel requires these two bytes at the beginning, but Rust's inner attributes begin with them too.
    if bytes.starts(with: "#!".utf8), bytes.dropFirst(2).drop(while: { $0 == 0x20 || $0 == 0x09 }).first == .slash {
      return .script
    }
    guard start.first == UInt8(ascii: "<") else { return nil }
    var text = TextScanner(start.prefix(1 << 14))
    while text.skip("<!--") {
      guard text.skip(through: "-->") else { return nil }
      text.skipSpace()
    }
    if text.sees("<?php") || text.sees("<?=") { return .php }
    let tags: [StaticString] = ["<!doctype html", "<html", "<head", "<body", "<script"]
    return tags.contains { text.sees($0) } ? .html : nil
  }

  private static func fromUTF16(_ head: [UInt8]) -> [UInt8]? {
    let isLittle = head.starts(with: [0xFF, 0xFE])
    guard isLittle || head.starts(with: [0xFE, 0xFF]) else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(head.count / 2)
    var rest = head[2...]
    while rest.count >= 2, let first = rest.popFirst(), let second = rest.popFirst() {
      units.append(isLittle ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
