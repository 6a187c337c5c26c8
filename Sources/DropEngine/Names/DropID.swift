/// The id of a drop, which is the same at every attempt and after every restart.
///
/// It has 26 digits and lower-case letters: 48 bits of milliseconds and 80 random bits, in Crockford's base 32. Ids sort by
/// creation time, and are safe as file names.
package struct DropID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// An integer instead of text, because many ids are in memory while files wait.
  private let value: UInt128

  /// Creates an id from `milliseconds` since 1970 and random bits.
  package init(milliseconds: UInt64, random: some RandomNumberGenerator) {
    var random = random
    self.init(milliseconds: milliseconds, high: UInt16.random(in: .min ... .max, using: &random), low: random.next())
  }

  package init(milliseconds: UInt64, high: UInt16, low: UInt64) {
    value = UInt128(milliseconds & 0xFFFF_FFFF_FFFF) << 80 | UInt128(high) << 64 | UInt128(low)
  }

  /// Parses an id that someone typed; nil if it is not valid.
  package init?(_ text: String) {
    guard text.utf8.count == Self.length else { return nil }
    var value: UInt128 = 0
    for character in text.lowercased().utf8 {
      guard let digit = Self.alphabet.firstIndex(of: character), value >> 123 == 0 else { return nil }
      value = value << 5 | UInt128(digit)
    }
    self.value = value
  }

  package var description: String {
    var rest = value
    var digits = [UInt8](repeating: 0, count: Self.length)
    for index in digits.indices.reversed() {
      digits[index] = Self.alphabet[Int(truncatingIfNeeded: rest) & 31]
      rest >>= 5
    }
    return String(decoding: digits, as: UTF8.self)
  }

  package static func < (a: DropID, b: DropID) -> Bool { a.value < b.value }

  private static let length = 26
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
