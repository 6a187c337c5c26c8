internal import CGIO
internal import DropEngine

/// A key file as it was written: groups of keys with values, each with its line.
///
/// GLib reads it (GKeyFile); where things stand, and what GLib would let pass (a key or a group that is there
/// twice, the ends of lines of another system), a scan of our own says.
package struct KeyFile: Hashable, Sendable {
  package var groups: [Group]

  package struct Group: Hashable, Sendable {
    package var name: String
    package var line: Int
    package var entries: [Entry]
  }

  /// A key and its value, without the white space around it and with its escapes as they are.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var value: String
    package var line: Int
  }

  /// The longest file that is read.
  package static let sizeLimit = 1 << 20

  package init(parsing bytes: [UInt8]) throws(KeyFileErrors) {
    var groups = try Self.scan(bytes)
    try Self.fill(&groups, from: bytes)
    self.groups = groups
  }

  /// Puts GLib's values into the groups and keys that the scan found, which must be the ones GLib finds.
  private static func fill(_ groups: inout [Group], from bytes: [UInt8]) throws(KeyFileErrors) {
    let file = unsafe g_key_file_new()
    defer { unsafe g_key_file_unref(file) }
    // Without this flag GLib drops `Key[de]` unless the locale is German: what is read would depend on who reads.
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
        throw KeyFileErrors(line: groups[group].line, "the keys of '\(Escaping.escape(name))' cannot be told apart")
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

  /// GLib takes the white space before a value away, and leaves what follows it.
  private static func trimmed(_ value: String) -> String {
    var bytes = Array(value.utf8)
    while let last = bytes.last, last.isASCIISpace { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// What is wrong with a key file, all of it.
package struct KeyFileErrors: Error, Hashable, Sendable {
  package var problems: [Problem]

  package struct Problem: Hashable, Sendable {
    /// nil where it is the whole file.
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
