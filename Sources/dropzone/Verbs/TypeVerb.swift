import DropEngine
import DropSystem

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
    let typer: ContentTyper
    do throws(ContentTyperError) { typer = try ContentTyper() } catch { throw .no("\(error)") }
    var code = ExitCode.done
    for file in files {
      do throws(FileError) {
        let typed = try FileTyping(file, by: typer)
        if isJSON { Output.json(typed) } else { Output.line(Self.line(typed)) }
      } catch {
        Output.complain("'\(file)': " + (error.errno == .invalid ? "no regular file" : "\(error.errno)"))
        code = .no
      }
    }
    return code
  }

  static func line(_ typed: FileTyping) -> String {
    let claimed = typed.claimedType.map { ", its name says \($0)" } ?? ""
    return "\(typed.file): \(typed.type) (\(typed.grade.rawValue))\(typed.claimedType == typed.type ? "" : claimed)"
  }
}
