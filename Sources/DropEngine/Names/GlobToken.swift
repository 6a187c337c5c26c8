/// An element of a pattern.
enum GlobToken: Hashable, Sendable {
  /// A byte in lower case.
  case byte(UInt8)
  case any
  case set(ByteSet)
  case star

  var literal: UInt8? {
    if case .byte(let byte) = self { byte } else { nil }
  }

  var matchesEveryByte: Bool {
    switch self {
    case .byte, .star: false
    case .any: true
    case .set(let set): set.holdsEveryNameByte
    }
  }

  /// Whether it matches `byte`. The matcher handles stars.
  func matches(_ byte: UInt8) -> Bool {
    switch self {
    case .byte(let own): own == byte.folded
    case .any: true
    case .set(let set): set.contains(byte)
    case .star: false
    }
  }

  static func parse(_ pattern: String) throws(GlobError) -> [GlobToken] {
    var rest = Array(pattern.utf8)[...]
    guard !rest.isEmpty else { throw .empty }
    var tokens: [GlobToken] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "*"):
        if tokens.last != .star { tokens.append(.star) }
      case UInt8(ascii: "?"):
        tokens.append(.any)
      case UInt8(ascii: "["):
        tokens.append(.set(try set(&rest)))
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { throw .endsInBackslash }
        guard escaped != .slash else { throw .slash }
        tokens.append(.byte(escaped.folded))
      case .slash:
        throw .slash
      default:
        tokens.append(.byte(byte.folded))
      }
    }
    return tokens
  }

  /// Reads a set after `[`, including its `]`. A `]` at the beginning is a member of the set.
  private static func set(_ rest: inout ArraySlice<UInt8>) throws(GlobError) -> ByteSet {
    var set = ByteSet()
    let negated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if negated { rest.removeFirst() }
    var isFirst = true
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "]"), !isFirst {
        set.addOtherCases()
        return negated ? set.inverted : set
      }
      isFirst = false
      if first == UInt8(ascii: "["), let next = rest.first, ":.=".utf8.contains(next) { throw .namedSet }
      let low = try member(first, &rest)
      if rest.first == UInt8(ascii: "-"), rest.dropFirst().first.map({ $0 != UInt8(ascii: "]") }) == true {
        rest.removeFirst()
        guard let end = rest.popFirst() else { throw .openSet }
        let high = try member(end, &rest)
        guard low <= high else { throw .reversedRange(low, high) }
        for byte in low...high { set.insert(byte) }
      } else {
        set.insert(low)
      }
    }
    throw .openSet
  }

  private static func member(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) throws(GlobError) -> UInt8 {
    var byte = byte
    if byte == UInt8(ascii: "\\") {
      guard let escaped = rest.popFirst() else { throw .openSet }
      byte = escaped
    }
    // A set matches single bytes, so a character of several bytes could never match.
    guard byte < 0x80 else { throw .notASCIIInSet }
    return byte
  }
}

/// The reason why a text is not a valid pattern.
package enum GlobError: Error, Hashable, Sendable {
  case empty
  case slash
  case endsInBackslash
  case openSet
  case namedSet
  case notASCIIInSet
  case reversedRange(UInt8, UInt8)
}

extension GlobError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "an empty pattern matches nothing"
    case .slash: "a pattern matches one component of a location, so it cannot contain '/'"
    case .endsInBackslash: "it ends with '\\' (write '\\\\' for a backslash)"
    case .openSet: "'[' has no matching ']' (write '\\[' for a bracket)"
    case .namedSet: "named sets such as '[:alpha:]' are not supported; write a range such as '[a-z]'"
    case .notASCIIInSet: "'[…]' matches one byte, and can contain only ASCII characters"
    case .reversedRange(let low, let high):
      "the range '\(Escaping.escape([low]))-\(Escaping.escape([high]))' is in the wrong order"
    }
  }
}
