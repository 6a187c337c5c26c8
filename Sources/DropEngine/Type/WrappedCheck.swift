/// What a gzip file holds, by the first bytes that come out of it.
package struct WrappedCheck: Hashable, Sendable {
  /// How many bytes are taken out: enough for any freedesktop rule that matters here.
  package static let limit = 4096

  /// The type of what is inside.
  package let type: String

  package init(type: String) {
    self.type = type
  }

  /// The types of compressed files that have names of their own, and what must be inside of each.
  private static let contents: [String: String] = [
    "application/x-gzpdf": "application/pdf",
    "application/x-gzpostscript": "application/postscript",
    "application/x-gzdvi": "application/x-dvi",
    "image/svg+xml-compressed": "image/svg+xml",
    "image/x-gzeps": "image/x-eps",
  ]

  /// Whether files of `type` are something else, compressed.
  static func isWrapping(_ type: String) -> Bool {
    wrappings.contains(type)
  }

  private static let wrappings: Set<String> = [
    "application/gzip", "application/x-bzip", "application/x-bzip2", "application/x-compress", "application/x-lz4",
    "application/x-lzip", "application/x-lzma", "application/x-xz", "application/zstd",
  ]

  /// Whether a look inside would tell `type`.
  package static func tells(_ type: String) -> Bool {
    contents[type] != nil
  }

  /// The names for compressed files that this one may go by.
  package func alternatives(in hierarchy: TypeHierarchy) -> Set<String> {
    Set(Self.contents.filter { hierarchy.conforms(type, to: $0.value) }.keys)
  }
}
