import DropEngine
import DropSystem

/// `check`: the daemon's own look at its configuration and machine, without starting it.
struct CheckVerb: Verb {
  static let name = "check"
  static let summary = "check configuration and machine, without starting anything"
  static let usage = "[--config DIR]"
  static let options = [Option.config]
  static let details = "Runs dropzoned --check, from beside this program or from the PATH, and ends as that does."

  let config: RawPath?

  init(_ given: Given) throws(Failure) {
    try given.noOperands()
    config = given.value(.config)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    guard let program = Executables.beside("dropzoned") ?? Executables.inPath("dropzoned") else {
      throw Failure(code: .unavailable, message: "dropzoned is neither beside this program nor in the PATH")
    }
    var arguments: [RawPath] = ["--check"]
    if let config { arguments += ["--config", config] }
    let error = Executables.become(program, arguments)
    throw .no("'\(program)' cannot be run: \(error)")
  }
}
