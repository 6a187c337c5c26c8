internal import CGIO
package import DropEngine
internal import CLinux
internal import Glibc

/// The shared MIME database of this machine, through GIO and through its own files.
package struct MIMEDatabase: Sendable {
  package let hierarchy: TypeHierarchy
  /// Its version and the day it was last put together, such as `2.2 of 2023-05-04`.
  package let version: String

  /// How many first bytes its content rules can ask for.
  package static let headLimit = 20 << 10

  /// Reads the database; nil where this machine has none.
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

  /// What the content rules say of a file's first bytes; the name has no part in it.
  package func type(of head: [UInt8]) -> String {
    let count = min(head.count, Self.headLimit)
    let answer = unsafe head.withUnsafeBufferPointer { buffer in
      unsafe Self.owned(g_content_type_guess(nil, buffer.baseAddress, gsize(count), nil))
    }
    return answer.map { hierarchy.canonical($0) } ?? .octetStream
  }

  /// The types that the last part of `name` may stand for, the likeliest first.
  package func claims(of name: RawPath) -> [String] {
    let name = RawPath(bytes: Array(name.lastComponent.bytes.prefix { $0 != 0 }))
    guard !name.isEmpty else { return [] }
    var isUncertain: gboolean = 0
    let answer = unsafe name.withCString { unsafe Self.owned(g_content_type_guess($0, nil, 0, &isUncertain)) }
    guard let first = answer.map({ hierarchy.canonical($0) }), first != .octetStream || isUncertain == 0,
      !Self.saysNothing.contains(first)
    else { return [] }
    var claims = [first]
    for type in typesByExtension(of: name) where !claims.contains(type) && !Self.saysNothing.contains(type) {
      claims.append(type)
    }
    return claims
  }

  /// Names of copies that were put aside say nothing of what they are copies of.
  private static let saysNothing: Set<String> = ["application/x-trash"]

  /// Several types may share an extension; the longest one that is known counts.
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

  /// What people call `type`, in the language of the process.
  package func localizedDescription(of type: String) -> String? {
    unsafe hierarchy.canonical(type).withCString { unsafe Self.owned(g_content_type_get_description($0)) }
  }

  /// The name of the icon that themes have for `type`.
  package func iconName(of type: String) -> String {
    String(hierarchy.canonical(type).map { $0 == "/" ? "-" : $0 })
  }

  /// The name of the icon for the larger group that `type` is in.
  package func genericIconName(of type: String) -> String? {
    unsafe hierarchy.canonical(type).withCString { unsafe Self.owned(g_content_type_get_generic_icon_name($0)) }
  }

  /// GIO's own word on whether `type` is `other` or a kind of it.
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
  /// Where the database is, what goes first first.
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

  /// A file of the database is tens of kilobytes; more than this is none.
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
