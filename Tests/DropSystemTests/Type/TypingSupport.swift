import DropEngine
import DropSystem
import Testing

/// One typer for all tests of it: it is shared between threads in the daemon as well.
enum Typing {
  private static let shared = Result { () throws(ContentTyperError) in try ContentTyper() }

  static func typer() throws -> ContentTyper { try shared.get() }

  /// Types `bytes` as a real file that goes by `name`.
  static func type(_ bytes: [UInt8], named name: RawPath) throws -> TypedContent {
    let file = try file(bytes)
    return try typer().type(of: file, size: Int64(bytes.count), name: name)
  }

  static func type(_ text: String, named name: RawPath) throws -> TypedContent {
    try type(Array(text.utf8), named: name)
  }

  /// A file without a name, gone with its descriptor.
  static func file(_ bytes: [UInt8]) throws -> FileDescriptor {
    let file = try FileDescriptor.open("/tmp", [.unnamed, .readWrite])
    try file.write(bytes)
    return file
  }

  /// Whether a zone with `patterns` and the usual grades takes it.
  static func isTaken(_ typed: TypedContent, by patterns: String...) throws -> Bool {
    let typer = try typer()
    let patterns = try patterns.map { text in try typer.pattern(text) }
    return typer.matches(typed, patterns: patterns) && AcceptRules().grades.contains(typed.grade)
  }
}

extension [UInt8] {
  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  init(_ text: String) { self = Array(text.utf8) }

  /// `number` in `count` bytes, the lowest first.
  init(_ number: Int, count: Int) {
    self = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
