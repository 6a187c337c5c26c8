/// The content of a gzip file, determined from its first decompressed bytes.
package struct WrappedCheck: Hashable, Sendable {
  /// The number of bytes to decompress, which is enough for the relevant freedesktop rules.
  package static let limit = 4096

  /// The type of the content.
  package let type: String

  package init(type: String) {
    self.type = type
  }

  /// Types of compressed files that have their own names, and the types that must be inside.
  private static let contents: [String: String] = [
    "application/x-gzpdf": "application/pdf",
    "application/x-gzpostscript": "application/postscript",
    "application/x-gzdvi": "application/x-dvi",
    "image/svg+xml-compressed": "image/svg+xml",
    "image/x-gzeps": "image/x-eps",
  ]

  /// Whether files of `type` are compressed files of another type.
  static func isWrapping(_ type: String) -> Bool {
    wrappings.contains(type)
  }

  private static let wrappings: Set<String> = [
    "application/gzip", "application/x-bzip", "application/x-bzip2", "application/x-compress", "application/x-lz4",
    "application/x-lzip", "application/x-lzma", "application/x-xz", "application/zstd",
  ]

  /// Whether the decompressed content can prove `type`.
  package static func tells(_ type: String) -> Bool {
    contents[type] != nil
  }

  /// The types of compressed files that this file may have.
  package func alternatives(in hierarchy: TypeHierarchy) -> Set<String> {
    Set(Self.contents.filter { hierarchy.conforms(type, to: $0.value) }.keys)
  }
}
