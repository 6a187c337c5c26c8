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

  /// Adds a letter's other case for every ASCII letter in the set.
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

  /// Whether every byte that can stand in a name is in it: all but zero and the slash.
  var holdsEveryNameByte: Bool {
    (1...UInt8.max).allSatisfy { $0 == .slash || contains($0) }
  }
}

extension UInt8 {
  /// The small letter of an ASCII capital; every other byte as it is.
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
