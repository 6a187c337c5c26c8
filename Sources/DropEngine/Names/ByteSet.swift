/// A set of bytes.
struct ByteSet: Hashable, Sendable {
  private var low: UInt128 = 0
  private var high: UInt128 = 0

  func contains(_ byte: UInt8) -> Bool {
    ((byte < 128 ? low : high) >> UInt128(byte & 127)) & 1 == 1
  }

  mutating func insert(_ byte: UInt8) {
    if byte < 128 {
      low |= 1 << UInt128(byte)
    } else {
      high |= 1 << UInt128(byte & 127)
    }
  }

  /// For every ASCII letter in the set, adds the same letter in the other case.
  mutating func addOtherCases() {
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      let capital = letter - 32
      if contains(letter) { insert(capital) }
      if contains(capital) { insert(letter) }
    }
  }

  var inverted: ByteSet {
    var set = self
    set.low = ~low
    set.high = ~high
    return set
  }

  /// Whether it contains every byte that a name can have: all except zero and the slash.
  var holdsEveryNameByte: Bool {
    (1...UInt8.max).allSatisfy { $0 == .slash || contains($0) }
  }
}

extension UInt8 {
  /// The lower-case letter of an ASCII upper-case letter; other bytes unchanged.
  var folded: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self + 32 : self
  }

  var isASCIIAlphanumeric: Bool {
    switch folded {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
