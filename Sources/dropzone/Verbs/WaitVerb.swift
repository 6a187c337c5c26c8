import DropControl
import DropEngine

/// `wait`: waits until nothing is on its way.
struct WaitVerb: Verb {
  static let name = "wait"
  static let summary = "wait until nothing is arriving, in hand, blocked or waiting to be retried"
  static let usage = "[ZONE…] [--timeout T]"
  static let options = [Option.timeout]
  static let details = """
    Files that are stalled, unreadable or special or that cannot be taken do not count, nor do zones that are paused
    or unavailable. Exits with 1 at the timeout.
    """

  let zones: [String]
  let timeout: Duration?

  init(_ arguments: ParsedArguments) throws(Failure) {
    zones = try arguments.zones()
    timeout = try arguments.duration(.timeout)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let (isSettled, report) = try daemon.translatingErrors(about: zones) { () throws(ControlClientError) in
      try client.wait(for: zones, timeout: timeout) ? (true, nil) : (false, client.list(zones))
    }
    for zone in report?.zones ?? [] where zone.itemsCount + zone.inHand > 0 {
      Output.complain("\(zone.name): \(zone.itemsCount) staged, \(zone.inHand) in hand")
    }
    return isSettled ? .done : .no
  }
}
