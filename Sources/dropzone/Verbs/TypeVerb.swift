import DropEngine
import DropSystem

/// `type`: shows what files are, judged by their content.
struct TypeVerb: Verb {
  static let name = "type"
  static let summary = "show the type of files by content and by name, and how certain it is"
  static let usage = "FILE… [--json]"
  static let options = [Option.json]

  let files: [RawPath]
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    files = arguments.operands
    isJSON = arguments.has(.json)
    if files.isEmpty { throw .usage("\(arguments.command): give at least one file") }
  }

  /// Reads the files as the current user, without asking the daemon.
  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let typer: ContentTyper
    do throws(ContentTyperError) { typer = try ContentTyper() } catch { throw .no("\(error)") }
    var code = ExitCode.done
    for file in files {
      do throws(FileError) {
        let typed = try FileTyping(file, by: typer)
        if isJSON { Output.json(typed) } else { Output.line(Self.line(typed)) }
      } catch {
        Output.complain(
          error.errno == .invalid ? "'\(file)' is not a regular file" : "cannot read '\(file)': \(error.errno)")
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
