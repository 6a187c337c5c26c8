internal import DropEngine

extension SettingValue {
  /// Parses a time: the sum of numbers with `ms`, `s`, `min`, `h` or `d`, as in `1min 30s`; or 0.
  func time(atLeast least: Duration = .zero) throws(BadValue) -> Duration {
    if raw == "0", least == .zero { return .zero }
    var sum = Duration.zero
    for part in try amounts(units: Self.timeUnits.map(\.name), example: "500ms, 2s, 5min or 1min 30s") {
      guard let unit = Self.timeUnits.first(where: { $0.name == part.unit })?.milliseconds else { continue }
      guard let milliseconds = part.times(unit), milliseconds <= Self.longestTime else {
        throw BadValue("is longer than \(Self.longestTime / 86_400_000) days")
      }
      sum += .milliseconds(milliseconds)
    }
    guard sum <= .milliseconds(Self.longestTime) else {
      throw BadValue("is longer than \(Self.longestTime / 86_400_000) days")
    }
    guard sum >= least else { throw BadValue("is shorter than \(Self.shown(least))") }
    return sum
  }

  /// Parses a size: a number of bytes, or a number with `K`, `M`, `G` or `T`, which are powers of 1,024, as in `1.5G`.
  func size() throws(BadValue) -> Int64 {
    if raw.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
      guard let bytes = Int64(raw) else { throw BadValue("is larger than any file can be") }
      return bytes
    }
    let parts = try amounts(units: Self.sizeUnits.map(\.name), example: "4096, 50M or 1.5G")
    guard parts.count == 1, let part = parts.first,
      let unit = Self.sizeUnits.first(where: { $0.name == part.unit })?.bytes
    else {
      throw BadValue("contains more than one size")
    }
    guard let bytes = part.times(unit) else { throw BadValue("is larger than any file can be") }
    return bytes
  }

  private static let timeUnits: [(name: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]
  private static let sizeUnits: [(name: String, bytes: Int64)] = [
    ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40),
  ]
  private static let longestTime: Int64 = 1000 * 86_400_000

  private static func shown(_ time: Duration) -> String {
    let (seconds, rest) = time.components
    return rest == 0 ? "\(seconds)s" : "\(seconds * 1000 + rest / 1_000_000_000_000_000)ms"
  }

  /// Splits the value into numbers with units.
  private func amounts(units: [String], example: String) throws(BadValue) -> [Amount] {
    var rest = Array(raw.utf8)[...]
    var found: [Amount] = []
    while true {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      guard !rest.isEmpty else { return found }
      let number = rest.prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == .dot }
      rest = rest.dropFirst(number.count)
      guard let amount = Amount(number) else { throw BadValue("is not valid; write it like \(example)") }
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      let unit = rest.prefix { $0 != 0x20 && $0 != 0x09 && !($0 >= 0x30 && $0 <= 0x39) }
      rest = rest.dropFirst(unit.count)
      let word = String(decoding: unit, as: UTF8.self)
      guard units.contains(word) else {
        guard !word.isEmpty else { throw BadValue("has no unit; write \(Self.alternatives(units)) after the number") }
        let nearest = Self.otherUnits[word.lowercased()].flatMap { units.contains($0) ? $0 : nil }
        let digits = String(decoding: number, as: UTF8.self)
        throw BadValue(
          "has the unit '\(Escaping.escape(word))', which is not \(Self.alternatives(units))",
          nearest: (nearest ?? Spelling.nearest(to: word, among: units)).map { digits + $0 })
      }
      found.append(amount.with(unit: word))
    }
  }

  /// Other spellings of the units.
  private static let otherUnits = [
    "msec": "ms", "millis": "ms", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "m": "min", "mins": "min",
    "minute": "min", "minutes": "min", "hr": "h", "hour": "h", "hours": "h", "day": "d", "days": "d",
    "kb": "K", "kib": "K", "k": "K", "mb": "M", "mib": "M", "gb": "G", "gib": "G", "g": "G", "tb": "T", "tib": "T",
    "t": "T",
  ]
}

/// An exact decimal number with a unit.
private struct Amount {
  var unit = ""
  private var digits: Int64 = 0
  /// A power of 10, by the number of digits after the point.
  private var divisor: Int64 = 1

  /// Nil if the text is not a number, or is unreasonably long.
  init?(_ text: ArraySlice<UInt8>) {
    let parts = text.split(separator: .dot, omittingEmptySubsequences: false)
    guard !text.isEmpty, parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), text.count <= 18,
      let digits = Int64(String(decoding: text.filter { $0 != .dot }, as: UTF8.self))
    else { return nil }
    self.digits = digits
    for _ in 0..<(parts.count == 2 ? parts[1].count : 0) { divisor *= 10 }
  }

  func with(unit: String) -> Amount {
    var amount = self
    amount.unit = unit
    return amount
  }

  /// The product, rounded down to an integer; nil if it is too large.
  func times(_ unit: Int64) -> Int64? {
    Int64(exactly: Int128(digits) * Int128(unit) / Int128(divisor))
  }
}
