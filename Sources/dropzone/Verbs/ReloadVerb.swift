import DropControl

/// `reload`: makes the daemon read its configuration again.
struct ReloadVerb: Verb {
  static let name = "reload"
  static let summary = "read the configuration again"
  static let usage = ""
  static let options: [Option] = []
  static let details =
    "If there is an error, it is shown and the old configuration stays in force. Work in hand continues."

  init(_ arguments: ParsedArguments) throws(Failure) {
    try arguments.noOperands()
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    try Daemon.translatingErrors { () throws(ControlClientError) in try client.reload() }
    return .done
  }
}
