import DropEngine
import DropSystem
import Testing

/// A typer that all tests share, as threads do in the daemon.
enum Typing {
  private static let shared = Result { () throws(ContentTyperError) in try ContentTyper() }

  static func typer() throws -> ContentTyper { try shared.get() }

  /// Determines the type of a real file with this content and name.
  static func type(_ bytes: [UInt8], named name: RawPath) throws -> TypedContent {
    let file = try file(bytes)
    return try typer().type(of: file, size: Int64(bytes.count), name: name)
  }

  static func type(_ text: String, named name: RawPath) throws -> TypedContent {
    try type(Array(text.utf8), named: name)
  }

  /// Creates a file without a name, which is removed with its descriptor.
  static func file(_ bytes: [UInt8]) throws -> FileDescriptor {
    let file = try FileDescriptor.open("/tmp", [.unnamed, .readWrite])
    try file.write(bytes)
    return file
  }

  /// Whether a zone with these patterns and the default grades accepts it.
  static func isTaken(_ typed: TypedContent, by patterns: String...) throws -> Bool {
    let typer = try typer()
    let patterns = try patterns.map { text in try typer.pattern(text) }
    return typer.matches(typed, patterns: patterns) && AcceptRules().grades.contains(typed.grade)
  }
}

extension [UInt8] {
  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  init(_ text: String) { self = Array(text.utf8) }

  /// Encodes `number` in `count` bytes, in little-endian order.
  init(_ number: Int, count: Int) {
    self = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
