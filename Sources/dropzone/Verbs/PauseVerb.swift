import DropControl

/// `pause`: take nothing from zones until they are resumed.
struct PauseVerb: Verb {
  static let name = "pause"
  static let summary = "take nothing from zones until they are resumed"
  static let usage = "ZONE…"
  static let options: [Option] = []
  static let details = "What is staged stays where it is, and what was claimed is finished."

  let zones: [String]

  init(_ given: Given) throws(Failure) {
    zones = try given.namedZones()
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    try daemon.asking(of: zones) { () throws(ControlClientError) in try client.pause(zones) }
    return .done
  }
}
