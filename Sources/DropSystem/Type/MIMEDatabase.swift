internal import CGIO
package import DropEngine
internal import CLinux
internal import Glibc

/// The shared MIME database of this machine, through GIO and through its own files.
package struct MIMEDatabase: Sendable {
  package let hierarchy: TypeHierarchy
  /// Its version and the day of its last update, such as `2.2 of 2023-05-04`.
  package let version: String

  /// How many first bytes its content rules can use.
  package static let headLimit = 20 << 10

  /// Reads the database. Fails if this machine has none.
  package init?() {
    let directories = Self.directories
    hierarchy = TypeHierarchy(directories.map { Self.files(in: $0) })
    guard !hierarchy.types.isEmpty else { return nil }
    version = Self.version(of: directories)
  }

  init(hierarchy: TypeHierarchy, version: String) {
    self.hierarchy = hierarchy
    self.version = version
  }

  /// The type that the content rules determine from a file's first bytes, without its name.
  package func type(of head: [UInt8]) -> String {
    let count = min(head.count, Self.headLimit)
    let answer = unsafe head.withUnsafeBufferPointer { buffer in
      unsafe Self.owned(g_content_type_guess(nil, buffer.baseAddress, gsize(count), nil))
    }
    return answer.map { hierarchy.canonical($0) } ?? .octetStream
  }

  /// The types that the last component of `name` may claim, the likeliest first.
  package func claims(of name: RawPath) -> [String] {
    let name = RawPath(bytes: Array(name.lastComponent.bytes.prefix { $0 != 0 }))
    guard !name.isEmpty else { return [] }
    var isUncertain: gboolean = 0
    let answer = unsafe name.withCString { unsafe Self.owned(g_content_type_guess($0, nil, 0, &isUncertain)) }
    guard let first = answer.map({ hierarchy.canonical($0) }), first != .octetStream || isUncertain == 0,
      !Self.backupTypes.contains(first)
    else { return [] }
    var claims = [first]
    for type in typesByExtension(of: name) where !claims.contains(type) && !Self.backupTypes.contains(type) {
      claims.append(type)
    }
    return claims
  }

  /// Types of backup copies. Their names say nothing about the type of the content.
  private static let backupTypes: Set<String> = ["application/x-trash"]

  /// Finds the longest known extension, which can stand for several types.
  private func typesByExtension(of name: RawPath) -> [String] {
    var rest = name.bytes.dropFirst()
    while let dot = rest.firstIndex(of: .dot) {
      rest = rest[(dot + 1)...]
      guard let suffix = String(validating: rest, as: UTF8.self) else { continue }
      let types = hierarchy.types(withExtension: suffix.lowercased())
      if !types.isEmpty { return types }
    }
    return []
  }

  /// A description of `type` for people, in the language of the process.
  package func localizedDescription(of type: String) -> String? {
    unsafe hierarchy.canonical(type).withCString { unsafe Self.owned(g_content_type_get_description($0)) }
  }

  /// The name of the icon for `type` in themes.
  package func iconName(of type: String) -> String {
    String(hierarchy.canonical(type).map { $0 == "/" ? "-" : $0 })
  }

  /// The name of the icon for the group that `type` belongs to.
  package func genericIconName(of type: String) -> String? {
    unsafe hierarchy.canonical(type).withCString { unsafe Self.owned(g_content_type_get_generic_icon_name($0)) }
  }

  /// Whether `type` is `other` or a subtype of it, according to GIO.
  package func isType(_ type: String, a other: String) -> Bool {
    unsafe type.withCString { type in
      unsafe other.withCString { unsafe g_content_type_is_a(type, $0) != 0 }
    }
  }

  private static func owned(_ text: UnsafeMutablePointer<gchar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }
}

extension MIMEDatabase {
  /// The directories of the database, in order of precedence.
  static var directories: [String] {
    guard let list = unsafe g_content_type_get_mime_dirs() else { return [] }
    var directories: [String] = []
    var index = 0
    while let directory = unsafe list[index] {
      directories.append(unsafe String(cString: directory))
      index += 1
    }
    return directories
  }

  private static func files(in directory: String) -> MIMEFiles {
    func bytes(_ name: String) -> [UInt8] {
      contents(directory + "/" + name) ?? []
    }
    return MIMEFiles(
      types: bytes("types"), aliases: bytes("aliases"), subclasses: bytes("subclasses"), magic: bytes("magic"),
      roots: bytes("XMLnamespaces"), globs: bytes("globs2"))
  }

  /// A file of the database has tens of kilobytes, so this is more than enough.
  private static let fileLimit = 16 << 20

  static func contents(_ path: String) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(RawPath(path), .readOnly) else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < fileLimit, let next = try? file.read(at: Int64(bytes.count), count: 1 << 18), !next.isEmpty {
      bytes += next
    }
    return bytes
  }

  private static func version(of directories: [String]) -> String {
    let number = directories.lazy.compactMap { contents($0 + "/version") }.first
      .map { String(decoding: $0.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self) }
    let day = directories.compactMap { FileDate.day(ofChangeTo: $0 + "/mime.cache") }.max()
    return [number, day].compactMap { $0 }.joined(separator: " of ")
  }
}
