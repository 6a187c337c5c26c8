/// A file name, or a path, whose bytes someone else chose.
///
/// Two paths are equal if their bytes are, so a composed and a decomposed accent make different names.
package struct RawPath: Hashable, Sendable, Comparable {
  /// The bytes, without a terminating zero.
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ string: String) {
    self.bytes = Array(string.utf8)
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// The text, if the bytes are valid UTF-8.
  package var string: String? {
    String(validating: bytes, as: UTF8.self)
  }

  /// The parts between slashes, without empty parts.
  package var components: [RawPath] {
    bytes.split(separator: .slash).map { RawPath(bytes: Array($0)) }
  }

  package var lastComponent: RawPath {
    guard let slash = bytes.lastIndex(of: .slash) else { return self }
    return RawPath(bytes: Array(bytes[(slash + 1)...]))
  }

  /// Everything before the last slash; empty if there is none.
  package var parent: RawPath {
    guard let slash = bytes.lastIndex(of: .slash) else { return RawPath(bytes: []) }
    return RawPath(bytes: Array(bytes[..<slash]))
  }

  package func appending(_ other: RawPath) -> RawPath {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return RawPath(bytes: bytes + (bytes.last == .slash ? [] : [.slash]) + other.bytes)
  }

  /// The index of the dot before the extension: the last dot that is not the first byte.
  private var dot: Int? {
    guard let dot = bytes.lastIndex(of: .dot), dot > 0 else { return nil }
    return dot
  }

  /// The name without the extension and its dot.
  package var stem: RawPath {
    guard let dot else { return self }
    return RawPath(bytes: Array(bytes[..<dot]))
  }

  /// The part after the last dot that is not the first byte.
  package var fileExtension: RawPath? {
    guard let dot else { return nil }
    return RawPath(bytes: Array(bytes[(dot + 1)...]))
  }

  package static func < (a: RawPath, b: RawPath) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

extension RawPath: CustomStringConvertible {
  /// The path for display, in which invalid text and characters that could control a terminal are escaped.
  package var description: String { Escaping.escape(bytes) }
}

extension RawPath: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension UInt8 {
  package static let slash = UInt8(ascii: "/")
  package static let dot = UInt8(ascii: ".")
}
