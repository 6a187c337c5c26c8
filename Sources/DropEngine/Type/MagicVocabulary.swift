/// The differences between libmagic's names for types and those of the shared MIME database.
package enum MagicVocabulary {
  /// Answers that do not identify a type.
  package static let generic: Set<String> = [
    .octetStream, "audio/x-unknown", "image/x-unknown", "application/x-unknown", "inode/x-empty", "binary",
    // libmagic checks only two bytes for these.
    "application/x-dbt",
  ]

  /// Answers that identify only a container; the rules may identify its content.
  static let wrappings: Set<String> = ["application/zip", "application/gzip", "application/x-ole-storage"]

  /// Names that the database does not have, and its names for the same types. If the database has the name after all, that
  /// takes precedence.
  static let synonyms: [String: String] = [
    "application/cdfv2": "application/x-ole-storage",
    "application/encrypted": "application/x-ole-storage",
    "application/mac-binhex": "application/mac-binhex40",
    "application/vnd-ms-works": "application/vnd.ms-works",
    "application/vnd.comicbook": "application/vnd.comicbook+zip",
    "application/vnd.microsoft.portable-executable": "application/x-ms-dos-executable",
    "application/vnd.ms-office": "application/x-ole-storage",
    "application/vnd.ms-opentype": "font/otf",
    "application/vnd.pagemaker": "application/x-pagemaker",
    "application/vnd.stardivision.cal": "application/vnd.stardivision.calc",
    "application/x-bytecode.python": "application/x-python-bytecode",
    "application/x-coredump": "application/x-core",
    "application/winhelp": "application/winhlp",
    "application/x-winhelp": "application/winhlp",
    "application/x-dc-rom": "application/x-dreamcast-rom",
    "application/x-dosexec": "application/x-ms-dos-executable",
    "application/x-hdf5": "application/x-hdf",
    "application/x-jsonlines": "application/x-ndjson",
    "application/x-java-applet": "application/x-java",
    "application/x-kdelnk": "application/x-desktop",
    "application/x-lx-executable": "application/x-ms-dos-executable",
    "application/x-ms-ne-executable": "application/x-ms-dos-executable",
    "application/x-pie-executable": "application/x-executable",
    "application/x-scribus": "application/vnd.scribus",
    "application/x-sylk": "text/spreadsheet",
    "application/x-wine-extension-ini": .plainText,
    "application/ndjson": "application/x-ndjson",
    "audio/vnd.dolby.dd-raw": "audio/ac3",
    "audio/mid": "audio/midi",
    "audio/x-hx-aac-adif": "audio/aac",
    "audio/x-hx-aac-adts": "audio/aac",
    "audio/x-syx": "audio/x-sysex",
    "font/x-postscript-pfb": "application/x-font-type1",
    "image/x-ms-bmp": "image/bmp",
    "image/x-portable-greymap": "image/x-portable-graymap",
    "image/x-x3f": "image/x-sigma-x3f",
    "text/pgp": "application/pgp-encrypted",
    "text/x-asm": .plainText,
    "text/x-awk": "application/x-awk",
    "text/x-c": "text/x-csrc",
    "text/x-c++": "text/x-c++src",
    "text/x-gawk": "application/x-awk",
    "text/x-lisp": .plainText,
    "text/x-nawk": "application/x-awk",
    "text/x-objective-c": "text/x-objcsrc",
    "text/x-php": "application/x-php",
    "text/x-ruby": "application/x-ruby",
    "text/x-script.python": "text/x-python",
    "text/x-shellscript": "application/x-shellscript",
    "text/x-wine-extension-reg": "text/x-ms-regedit",
    "text/x-xmcd": "text/xmcd",
    "video/x-flc": "video/x-flic",
    "video/x-jng": "image/x-jng",
  ]

  /// Parents of types that the database does not have, or whose parents it does not have.
  static let parents: [(type: String, parent: String)] = [
    ("application/x-ndjson", .plainText),
    ("application/vnd.ms-outlook", "application/x-ole-storage"),
    ("application/vnd.ms-project", "application/x-ole-storage"),
    ("font/collection", "font/sfnt"),
    ("font/otf", "font/sfnt"),
    ("font/ttf", "font/sfnt"),
  ]

  /// Types that libmagic or our own checks identify, although the database does not have them.
  static let additional: Set<String> = ["application/x-ndjson", "application/vnd.ms-outlook"]

  /// Containers that libmagic names after one use, and the other types that the same content may have.
  static let otherUses: [String: Set<String>] = [
    "audio/mp4": ["audio/x-m4b", "audio/x-m4r"],
    "video/3gpp": ["video/3gpp2", "audio/3gpp", "audio/3gpp2"],
    "video/x-matroska": ["audio/x-matroska", "video/x-matroska-3d"],
    "video/webm": ["audio/webm"],
  ]
}
