/// The name of one drop, the same at every attempt and after every restart.
///
/// 26 digits and lower-case letters (48 bits of milliseconds, then 80 random bits, in Crockford's
/// base 32), so that ids sort by the time they were made and are safe as file names.
package struct DropID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let description: String

  /// Makes an id of `milliseconds` since 1970 and random bits.
  package init(milliseconds: UInt64, random: some RandomNumberGenerator) {
    var random = random
    self.init(milliseconds: milliseconds, high: UInt16.random(in: .min ... .max, using: &random), low: random.next())
  }

  init(milliseconds: UInt64, high: UInt16, low: UInt64) {
    var value = UInt128(milliseconds & 0xFFFF_FFFF_FFFF) << 80 | UInt128(high) << 64 | UInt128(low)
    var digits = [UInt8](repeating: 0, count: 26)
    for index in digits.indices.reversed() {
      digits[index] = Self.alphabet[Int(value & 31)]
      value >>= 5
    }
    description = String(decoding: digits, as: UTF8.self)
  }

  /// Reads an id somebody typed; nil when it cannot be one.
  package init?(_ text: String) {
    let text = text.lowercased()
    guard text.utf8.count == 26, text.utf8.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
    description = text
  }

  package static func < (a: DropID, b: DropID) -> Bool { a.description < b.description }

  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
