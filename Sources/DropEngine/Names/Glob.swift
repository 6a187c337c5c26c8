/// A pattern for a whole component of a location, ignoring the case of ASCII letters.
///
/// `*` matches any bytes, `?` one byte, `[a-z]` one byte of a set, and `[!a-z]` one byte outside it. A backslash removes the
/// special meaning of the next character. A match allocates nothing, and takes time proportional to at most the length of
/// the name times the length of the pattern.
package struct Glob: Hashable, Sendable {
  /// The pattern as it was written.
  package let pattern: String
  private let form: Form

  /// Most patterns are a fixed name, or fixed text with a single star.
  private enum Form: Hashable, Sendable {
    case literal([UInt8])
    case around(prefix: [UInt8], suffix: [UInt8])
    case general([GlobToken])
  }

  package init(_ pattern: String) throws(GlobError) {
    self.pattern = pattern
    let tokens = try GlobToken.parse(pattern)
    let fixed = tokens.compactMap(\.literal)
    if fixed.count == tokens.count {
      form = .literal(fixed)
    } else if fixed.count == tokens.count - 1, let star = tokens.firstIndex(of: .star) {
      form = .around(prefix: Array(fixed[..<star]), suffix: Array(fixed[star...]))
    } else {
      form = .general(tokens)
    }
  }

  package func matches(_ name: RawPath) -> Bool {
    matches(name.bytes.span)
  }

  func matches(_ name: Span<UInt8>) -> Bool {
    switch form {
    case .literal(let bytes):
      name.count == bytes.count && name.begins(with: bytes)
    case .around(let prefix, let suffix):
      name.count >= prefix.count + suffix.count && name.begins(with: prefix) && name.ends(with: suffix)
    case .general(let tokens):
      Self.matches(name, tokens)
    }
  }

  /// The range in `name` that the only star of the pattern matches; nil if there is no match or no single star.
  func core(in name: Span<UInt8>) -> Range<Int>? {
    guard case .around(let prefix, let suffix) = form, matches(name) else { return nil }
    return prefix.count..<(name.count - suffix.count)
  }

  /// Whether it matches every name.
  package var matchesEverything: Bool {
    switch form {
    case .literal: return false
    case .around(let prefix, let suffix): return prefix.isEmpty && suffix.isEmpty
    case .general(let tokens):
      let single = tokens.filter { $0 != .star }
      return single.count < tokens.count && single.count <= 1 && single.allSatisfy(\.matchesEveryByte)
    }
  }

  /// Backtracks only to the last star, because giving back bytes of an earlier star cannot help.
  private static func matches(_ name: Span<UInt8>, _ tokens: [GlobToken]) -> Bool {
    var token = 0
    var byte = 0
    var afterStar: (token: Int, byte: Int)?
    while byte < name.count {
      if token < tokens.count, tokens[token] == .star {
        token += 1
        afterStar = (token, byte)
      } else if token < tokens.count, tokens[token].matches(name[byte]) {
        token += 1
        byte += 1
      } else if let (starToken, starByte) = afterStar {
        token = starToken
        byte = starByte + 1
        afterStar = (starToken, byte)
      } else {
        return false
      }
    }
    return tokens[token...].allSatisfy { $0 == .star }
  }
}

extension Span<UInt8> {
  /// `bytes` are already in lower case.
  func begins(with bytes: [UInt8]) -> Bool {
    guard count >= bytes.count else { return false }
    for index in bytes.indices where self[index].folded != bytes[index] { return false }
    return true
  }

  func ends(with bytes: [UInt8]) -> Bool {
    let start = count - bytes.count
    guard start >= 0 else { return false }
    for index in bytes.indices where self[start + index].folded != bytes[index] { return false }
    return true
  }
}
