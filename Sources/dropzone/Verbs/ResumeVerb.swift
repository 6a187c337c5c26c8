import DropControl

/// `resume`: go on taking from zones that were paused.
struct ResumeVerb: Verb {
  static let name = "resume"
  static let summary = "go on taking from zones that were paused"
  static let usage = "ZONE…"
  static let options: [Option] = []
  static let details = ""

  let zones: [String]

  init(_ given: Given) throws(Failure) {
    zones = try given.namedZones()
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    try daemon.asking(of: zones) { () throws(ControlClientError) in try client.resume(zones) }
    return .done
  }
}
