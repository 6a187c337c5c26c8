import DropEngine
import DropSystem

/// `check`: runs the daemon's own check of its configuration and the machine.
struct CheckVerb: Verb {
  static let name = "check"
  static let summary = "check the configuration and the machine"
  static let usage = "[--config DIR]"
  static let options = [Option.config]
  static let details =
    "Runs 'dropzoned --check', from the directory of this program or from PATH, with its exit status."

  let config: RawPath?

  init(_ arguments: ParsedArguments) throws(Failure) {
    try arguments.noOperands()
    config = arguments.value(.config)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    guard let program = Executables.beside("dropzoned") ?? Executables.inPath("dropzoned") else {
      throw Failure(code: .unavailable, message: "dropzoned is neither in the directory of this program nor in PATH")
    }
    var arguments: [RawPath] = ["--check"]
    if let config { arguments += ["--config", config] }
    let error = Executables.replaceProcess(with: program, arguments)
    throw .no("cannot run '\(program)': \(error)")
  }
}
