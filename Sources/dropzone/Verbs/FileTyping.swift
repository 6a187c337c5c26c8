import DropControl
import DropEngine
import DropSystem

/// The type of one file.
struct FileTyping: Encodable, Hashable {
  /// The path, escaped for display.
  let file: String
  /// The exact path, in base64.
  let fileBytes: String
  let type: String
  let claimedType: String?
  let grade: Grade

  private enum CodingKeys: String, CodingKey { case file, fileBytes, type, claimedType, grade }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(fileBytes, forKey: .fileBytes)
    try container.encode(type, forKey: .type)
    try container.encode(claimedType, forKey: .claimedType)
    try container.encode(grade, forKey: .grade)
  }
}

extension FileTyping {
  init(_ path: RawPath, _ typed: TypedContent) {
    self.init(
      file: path.description, fileBytes: VarlinkJSON.base64(path.bytes), type: typed.type,
      claimedType: typed.claimedType, grade: typed.grade)
  }

  /// Determines the type of `path` as the daemon would for a payload.
  init(_ path: RawPath, by typer: ContentTyper) throws(FileError) {
    let source = try SourceFile(path)
    self.init(path, try typer.type(of: source.file, size: source.size, name: path.lastComponent))
  }
}
