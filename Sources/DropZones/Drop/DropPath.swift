package import DropEngine

/// A path whose bytes somebody else chose.
///
/// Two are equal when their bytes are: a composed and a decomposed accent are two names. What is shown, as in an
/// interpolation, is escaped; `string` and `bytes` are as they came.
///
///     location.components.first == "Doing" && location.filenameExtension == "card"
public struct DropPath: Hashable, Sendable {
  package let raw: RawPath

  package init(_ raw: RawPath) {
    self.raw = raw
  }

  /// A path of a program's own.
  public init(_ string: String) {
    raw = RawPath(string)
  }

  /// A path of any bytes.
  public init(bytes: some Sequence<UInt8>) {
    raw = RawPath(bytes: Array(bytes))
  }

  /// As its sender wrote it.
  public var bytes: [UInt8] { raw.bytes }

  /// As text; nil when it is not UTF-8.
  public var string: String? { raw.string }

  /// The parts between slashes; empty ones are left out.
  public var components: [DropPath] { raw.components.map { DropPath($0) } }

  /// What follows the last slash: the name.
  public var lastComponent: DropPath { DropPath(raw.lastComponent) }

  /// What stands before the last slash; empty where there is none.
  public var parent: DropPath { DropPath(raw.parent) }

  /// The name without its extension and the dot before it.
  public var stem: DropPath { DropPath(raw.lastComponent.stem) }

  /// What follows the last dot of the name that is not its first byte; nil without one, or when it is not UTF-8.
  public var filenameExtension: String? { raw.lastComponent.fileExtension?.string }

  /// The path to `other` inside of this one.
  public func appending(_ other: DropPath) -> DropPath {
    DropPath(raw.appending(other.raw))
  }
}

extension DropPath: Comparable {
  /// By bytes.
  public static func < (a: DropPath, b: DropPath) -> Bool { a.raw < b.raw }
}

extension DropPath: CustomStringConvertible {
  /// As it may be shown: invalid bytes are `\xNN`, control and bidirectional characters `\u{N}`.
  public var description: String { raw.description }
}

extension DropPath: ExpressibleByStringLiteral {
  /// A path of a program's own.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}
