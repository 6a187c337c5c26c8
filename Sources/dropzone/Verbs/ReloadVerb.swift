import DropControl

/// `reload`: the configuration anew.
struct ReloadVerb: Verb {
  static let name = "reload"
  static let summary = "read the configuration again"
  static let usage = ""
  static let options: [Option] = []
  static let details = "Where it is wrong, the old one stays in force, and the error says why. What is in hand goes on."

  init(_ given: Given) throws(Failure) {
    try given.noOperands()
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    try Daemon.asking { () throws(ControlClientError) in try client.reload() }
    return .done
  }
}
