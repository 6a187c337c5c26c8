import DropControl

/// `resume`: takes files from paused zones again.
struct ResumeVerb: Verb {
  static let name = "resume"
  static let summary = "take files from paused zones again"
  static let usage = "ZONE…"
  static let options: [Option] = []
  static let details = ""

  let zones: [String]

  init(_ arguments: ParsedArguments) throws(Failure) {
    zones = try arguments.namedZones()
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    try daemon.translatingErrors(about: zones) { () throws(ControlClientError) in try client.resume(zones) }
    return .done
  }
}
