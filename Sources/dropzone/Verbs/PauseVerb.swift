import DropControl

/// `pause`: takes nothing from zones until they are resumed.
struct PauseVerb: Verb {
  static let name = "pause"
  static let summary = "take nothing from zones until they are resumed"
  static let usage = "ZONE…"
  static let options: [Option] = []
  static let details = "Staged files stay where they are. Files that are already claimed are finished."

  let zones: [String]

  init(_ arguments: ParsedArguments) throws(Failure) {
    zones = try arguments.namedZones()
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    try daemon.translatingErrors(about: zones) { () throws(ControlClientError) in try client.pause(zones) }
    return .done
  }
}
