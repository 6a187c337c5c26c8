package import DropEngine

/// A path whose bytes someone else chose.
///
/// Two paths are equal if their bytes are, so a composed and a decomposed accent make different names. The description,
/// which string interpolation uses, is escaped; `string` and `bytes` are not.
///
///     location.components.first == "Doing" && location.filenameExtension == "card"
public struct DropPath: Hashable, Sendable {
  package let raw: RawPath

  package init(_ raw: RawPath) {
    self.raw = raw
  }

  /// Creates a path that the program chose.
  public init(_ string: String) {
    raw = RawPath(string)
  }

  /// Creates a path from any bytes.
  public init(bytes: some Sequence<UInt8>) {
    raw = RawPath(bytes: Array(bytes))
  }

  /// The bytes that the sender chose.
  public var bytes: [UInt8] { raw.bytes }

  /// The path as text; nil if it is not valid UTF-8.
  public var string: String? { raw.string }

  /// The parts between slashes, without empty parts.
  public var components: [DropPath] { raw.components.map { DropPath($0) } }

  /// The name, which is the part after the last slash.
  public var lastComponent: DropPath { DropPath(raw.lastComponent) }

  /// The part before the last slash; empty if there is none.
  public var parent: DropPath { DropPath(raw.parent) }

  /// The name without its extension and the dot.
  public var stem: DropPath { DropPath(raw.lastComponent.stem) }

  /// The part of the name after its last dot that is not the first byte; nil if there is none, or if it is not valid UTF-8.
  public var filenameExtension: String? { raw.lastComponent.fileExtension?.string }

  /// Returns the path to `other` inside this one.
  public func appending(_ other: DropPath) -> DropPath {
    DropPath(raw.appending(other.raw))
  }
}

extension DropPath: Comparable {
  /// Compares paths by their bytes.
  public static func < (a: DropPath, b: DropPath) -> Bool { a.raw < b.raw }
}

extension DropPath: CustomStringConvertible {
  /// The path, escaped for display: invalid bytes as `\xNN`, control and bidirectional characters as `\u{N}`.
  public var description: String { raw.description }
}

extension DropPath: ExpressibleByStringLiteral {
  /// Creates a path that the program chose.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
