import DropControl
import DropEngine

/// A verb that acts on single drops: `retry`, `release` or `undo`.
protocol IDVerb: Verb {
  var ids: [String] { get }
  init(ids: [String])
  func perform(on client: ControlClient, _ id: String) throws(ControlClientError)
}

extension IDVerb {
  static var usage: String { "ID…" }
  static var options: [Option] { [] }

  init(_ arguments: ParsedArguments) throws(Failure) {
    self.init(ids: try arguments.ids())
  }

  /// Acts on one drop after another. If one fails, reports it and continues with the others.
  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    var code = ExitCode.done
    for id in ids {
      do throws(ControlClientError) {
        try perform(on: client, id)
      } catch {
        guard case .refused(let refusal) = error, case .notPossible(_, _) = refusal.controlError else {
          throw Failure(error)
        }
        Output.complain(Failure(refusal).message)
        code = .no
      }
    }
    return code
  }
}
