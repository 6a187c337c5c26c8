/// Uniform type identifiers, which are alternative names for media types.
package enum PublicIdentifiers {
  /// Types that an identifier includes.
  package enum Kind: Hashable, Sendable {
    case everything
    /// All types with this part before the slash.
    case family(String)
    /// A type and its subtypes.
    case type(String)
  }

  /// The types that `identifier` includes; nil if it is not a public identifier.
  package static func kinds(of identifier: String) -> [Kind]? {
    if let kinds = groups[identifier] { return kinds }
    return types[identifier].map { [.type($0)] }
  }

  /// All known identifiers.
  package static var all: Set<String> {
    Set(groups.keys).union(types.keys)
  }

  /// The identifier that stands for just `type`, if there is one.
  package static func identifier(of type: String) -> String? {
    identifiers[type]
  }

  /// Identifiers that stand for more than one media type.
  private static let groups: [String: [Kind]] = [
    "public.item": [.everything],
    "public.content": [.everything],
    "public.data": [.type(.octetStream)],
    "public.image": [.family("image")],
    "public.audio": [.family("audio")],
    "public.movie": [.family("video")],
    "public.video": [.family("video")],
    "public.audiovisual-content": [.family("audio"), .family("video")],
    "public.font": [.family("font"), .type("application/x-font-type1")],
    "public.3d-content": [.family("model")],
    "public.camera-raw-image": [.type("image/x-dcraw")],
    "public.archive": [
      "application/zip", "application/x-tar", "application/gzip", "application/x-bzip", "application/x-xz",
      "application/zstd", "application/x-7z-compressed", "application/vnd.rar", "application/x-cpio",
      "application/x-archive", "application/x-lzip", "application/x-lzma", "application/x-lha", "application/x-arj",
      "application/vnd.ms-cab-compressed", "application/x-compress", "application/x-lz4",
    ].map { .type($0) },
    "public.disk-image": [
      .type("application/x-cd-image"), .type("application/x-raw-disk-image"), .type("application/x-apple-diskimage"),
    ],
    "public.source-code": [
      "text/x-csrc", "text/x-c++src", "text/x-objcsrc", "text/x-chdr", "text/x-c++hdr", "text/x-java", "text/x-python",
      "application/javascript", "application/x-shellscript", "application/x-perl", "application/x-ruby",
      "application/x-php", "text/rust", "text/x-go",
    ].map { .type($0) },
    "public.script": [
      "application/x-shellscript", "text/x-python", "application/x-perl", "application/x-ruby", "application/x-php",
      "application/javascript",
    ].map { .type($0) },
    "public.executable": [.type("application/x-executable"), .type("application/x-ms-dos-executable")],
    "public.spreadsheet": [
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.ms-excel",
      "application/vnd.oasis.opendocument.spreadsheet", "text/csv",
    ].map { .type($0) },
    "public.presentation": [
      "application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/vnd.ms-powerpoint",
      "application/vnd.oasis.opendocument.presentation",
    ].map { .type($0) },
  ]

  /// Identifiers that stand for a single media type.
  private static let types: [String: String] = [
    "com.adobe.illustrator.ai-image": "application/illustrator",
    "com.adobe.pdf": "application/pdf",
    "com.adobe.photoshop-image": "image/vnd.adobe.photoshop",
    "com.adobe.postscript": "application/postscript",
    "com.apple.icns": "image/x-icns",
    "com.apple.iwork.keynote.key": "application/vnd.apple.keynote",
    "com.apple.iwork.numbers.numbers": "application/vnd.apple.numbers",
    "com.apple.iwork.pages.pages": "application/vnd.apple.pages",
    "com.apple.m4a-audio": "audio/mp4",
    "com.apple.quicktime-movie": "video/quicktime",
    "com.compuserve.gif": "image/gif",
    "com.microsoft.bmp": "image/bmp",
    "com.microsoft.excel.xls": "application/vnd.ms-excel",
    "com.microsoft.ico": "image/vnd.microsoft.icon",
    "com.microsoft.powerpoint.ppt": "application/vnd.ms-powerpoint",
    "com.microsoft.waveform-audio": "audio/x-wav",
    "com.microsoft.windows-executable": "application/x-ms-dos-executable",
    "com.microsoft.word.doc": "application/msword",
    "com.netscape.javascript-source": "application/javascript",
    "com.pkware.zip-archive": "application/zip",
    "com.rarlab.rar-archive": "application/vnd.rar",
    "com.sun.java-archive": "application/x-java-archive",
    "org.7-zip.7-zip-archive": "application/x-7z-compressed",
    "org.gnu.gnu-zip-archive": "application/gzip",
    "org.gnu.gnu-zip-tar-archive": "application/x-compressed-tar",
    "org.idpf.epub-container": "application/epub+zip",
    "org.oasis-open.opendocument.graphics": "application/vnd.oasis.opendocument.graphics",
    "org.oasis-open.opendocument.presentation": "application/vnd.oasis.opendocument.presentation",
    "org.oasis-open.opendocument.spreadsheet": "application/vnd.oasis.opendocument.spreadsheet",
    "org.oasis-open.opendocument.text": "application/vnd.oasis.opendocument.text",
    "org.openxmlformats.presentationml.presentation":
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "org.openxmlformats.spreadsheetml.sheet": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "org.openxmlformats.wordprocessingml.document":
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "org.tukaani.xz-archive": "application/x-xz",
    "org.webmproject.webm": "video/webm",
    "org.webmproject.webp": "image/webp",
    "org.xiph.flac": "audio/flac",
    "org.xiph.ogg-audio": "audio/ogg",
    "public.aac-audio": "audio/aac",
    "public.aiff-audio": "audio/x-aiff",
    "public.avi": "video/x-msvideo",
    "public.avif": "image/avif",
    "public.bzip2-archive": "application/x-bzip",
    "public.c-source": "text/x-csrc",
    "public.comma-separated-values-text": "text/csv",
    "public.css": "text/css",
    "public.directory": "inode/directory",
    "public.email-message": "message/rfc822",
    "public.folder": "inode/directory",
    "public.geojson": "application/geo+json",
    "public.heic": "image/heif",
    "public.heif": "image/heif",
    "public.html": "text/html",
    "public.iso-image": "application/x-cd-image",
    "public.jpeg": "image/jpeg",
    "public.jpeg-2000": "image/jp2",
    "public.json": "application/json",
    "public.midi-audio": "audio/midi",
    "public.mp3": "audio/mpeg",
    "public.mpeg": "video/mpeg",
    "public.mpeg-2-transport-stream": "video/mp2t",
    "public.mpeg-4": "video/mp4",
    "public.mpeg-4-audio": "audio/mp4",
    "public.opentype-font": "font/otf",
    "public.perl-script": "application/x-perl",
    "public.php-script": "application/x-php",
    "public.plain-text": "text/plain",
    "public.png": "image/png",
    "public.python-script": "text/x-python",
    "public.rtf": "application/rtf",
    "public.ruby-script": "application/x-ruby",
    "public.shell-script": "application/x-shellscript",
    "public.svg-image": "image/svg+xml",
    "public.tab-separated-values-text": "text/tab-separated-values",
    "public.tar-archive": "application/x-tar",
    "public.text": "text/plain",
    "public.tiff": "image/tiff",
    "public.truetype-ttf-font": "font/ttf",
    "public.utf8-plain-text": "text/plain",
    "public.vcard": "text/vcard",
    "public.xhtml": "application/xhtml+xml",
    "public.xml": "application/xml",
    "public.yaml": "application/x-yaml",
    "public.zip-archive": "application/zip",
  ]

  /// The reverse mapping. If there are several identifiers for a type, the one that names the type itself.
  private static let identifiers: [String: String] = {
    var identifiers: [String: String] = [:]
    for (identifier, type) in types where !secondary.contains(identifier) { identifiers[type] = identifier }
    return identifiers
  }()

  private static let secondary: Set<String> = [
    "com.apple.m4a-audio", "com.pkware.zip-archive", "public.folder", "public.heif", "public.text",
    "public.utf8-plain-text",
  ]
}
