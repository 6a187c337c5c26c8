internal import CGIO
internal import DropEngine

/// A parsed key file: groups of keys with values, each with its line.
///
/// GLib (GKeyFile) reads the values. Our own scan finds the lines, and errors that GLib accepts, such as duplicate keys
/// and groups, or CR LF line endings.
package struct KeyFile: Hashable, Sendable {
  package var groups: [Group]

  package struct Group: Hashable, Sendable {
    package var name: String
    package var line: Int
    package var entries: [Entry]
  }

  /// A key and its value, without surrounding white space and with its escapes unchanged.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: String
    package var line: Int
  }

  /// The largest size of a file, in bytes.
  package static let sizeLimit = 1 << 20

  package init(parsing bytes: [UInt8]) throws(KeyFileErrors) {
    var groups = try Self.scan(bytes)
    try Self.fill(&groups, from: bytes)
    self.groups = groups
  }

  /// Adds GLib's values to the groups and keys that the scan found. GLib must find the same ones.
  private static func fill(_ groups: inout [Group], from bytes: [UInt8]) throws(KeyFileErrors) {
    let file = unsafe g_key_file_new()
    defer { unsafe g_key_file_unref(file) }
    // Without this flag, GLib drops `Key[de]` unless the locale is German, so the result would depend on the environment.
    let flags = G_KEY_FILE_KEEP_TRANSLATIONS
    var failure: UnsafeMutablePointer<GError>?
    let loaded = unsafe bytes.withUnsafeBytes { buffer in
      unsafe g_key_file_load_from_data(
        file, buffer.baseAddress?.assumingMemoryBound(to: gchar.self), gsize(buffer.count), flags, &failure)
    }
    guard loaded != 0 else {
      let message = unsafe failure.map { unsafe String(cString: $0.pointee.message) } ?? "it cannot be read"
      unsafe g_clear_error(&failure)
      throw KeyFileErrors(line: nil, message)
    }
    for group in groups.indices {
      let name = groups[group].name
      guard unsafe count(of: name, in: file) == groups[group].entries.count else {
        throw KeyFileErrors(line: groups[group].line, "the keys of '\(Escaping.escape(name))' are ambiguous")
      }
      for entry in groups[group].entries.indices {
        let key = groups[group].entries[entry].key
        guard let value = unsafe g_key_file_get_value(file, name, key, nil) else {
          throw KeyFileErrors(line: groups[group].entries[entry].line, "'\(Escaping.escape(key))' cannot be read")
        }
        defer { unsafe g_free(value) }
        groups[group].entries[entry].value = Self.trimmed(unsafe String(cString: value))
      }
    }
  }

  private static func count(of group: String, in file: OpaquePointer?) -> Int {
    var count: gsize = 0
    let keys = unsafe g_key_file_get_keys(file, group, &count, nil)
    unsafe g_strfreev(keys)
    return Int(count)
  }

  /// Removes white space after a value. GLib removes it only before a value.
  private static func trimmed(_ value: String) -> String {
    var bytes = Array(value.utf8)
    while let last = bytes.last, last.isASCIISpace { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// All errors in a key file.
package struct KeyFileErrors: Error, Hashable, Sendable {
  package var problems: [Problem]

  package struct Problem: Hashable, Sendable {
    /// Nil if the problem concerns the whole file.
    package var line: Int?
    package var message: String
  }

  init(_ problems: [Problem]) {
    self.problems = problems
  }

  init(line: Int?, _ message: String) {
    self.init([Problem(line: line, message: message)])
  }
}
