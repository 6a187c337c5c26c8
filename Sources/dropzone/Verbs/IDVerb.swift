import DropControl
import DropEngine

/// A verb that asks something of single drops: `retry`, `release`, `undo`.
protocol IDVerb: Verb {
  var ids: [String] { get }
  init(ids: [String])
  func ask(_ client: ControlClient, _ id: String) throws(ControlClientError)
}

extension IDVerb {
  static var usage: String { "ID…" }
  static var options: [Option] { [] }

  init(_ given: Given) throws(Failure) {
    self.init(ids: try given.ids())
  }

  /// One after the other: what cannot be done for one is said, and the others are done.
  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    var code = ExitCode.done
    for id in ids {
      do throws(ControlClientError) {
        try ask(client, id)
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
