import DropEngine

/// `type`: what files are, by their content.
struct TypeVerb: Verb {
  static let name = "type"
  static let summary = "say what files are: by their content, by their name, and how sure that is"
  static let usage = "FILE… [--json]"
  static let options = [Option.json]

  let files: [RawPath]
  let isJSON: Bool

  init(_ given: Given) throws(Failure) {
    files = given.operands
    isJSON = given.has(.json)
    if files.isEmpty { throw .usage("\(given.command): a file is wanted") }
  }

  /// No daemon is asked: what this user may read is looked at here.
  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    var code = ExitCode.done
    for file in files {
      do throws(Failure) {
        let typed = try FileTyping.typed(file)
        if isJSON { Output.json(typed) } else { Output.line(Self.line(typed)) }
      } catch {
        Output.complain("'\(file)': \(error.message)")
        code = .no
      }
    }
    return code
  }

  static func line(_ typed: FileTyping) -> String {
    let claimed = typed.claimedType.map { ", its name says \($0)" } ?? ""
    return "\(typed.file): \(typed.type ?? "unknown") (\(typed.grade?.rawValue ?? "unproved"))\(claimed)"
  }
}

/// What one file is.
struct FileTyping: Encodable, Hashable {
  /// Escaped for showing, and exact.
  let file: String
  let fileBytes: String
  let type: String?
  let claimedType: String?
  let grade: Grade?

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
