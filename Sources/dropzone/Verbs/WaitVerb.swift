import DropControl
import DropEngine

/// `wait`: until nothing is on its way.
struct WaitVerb: Verb {
  static let name = "wait"
  static let summary = "wait until nothing arrives, is in hand, blocked or to be retried"
  static let usage = "[ZONE…] [--timeout T]"
  static let options = [Option.timeout]
  static let details = """
    What is stalled, unreadable, special or cannot be taken does not count, nor does a zone that is paused or
    unavailable. Exits with 1 at the timeout.
    """

  let zones: [String]
  let timeout: Duration?

  init(_ given: Given) throws(Failure) {
    zones = try given.zones()
    timeout = try given.duration(.timeout)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    let (isSettled, report) = try daemon.asking(of: zones) { () throws(ControlClientError) in
      try client.wait(for: zones, timeout: timeout) ? (true, nil) : (false, client.list(zones))
    }
    for zone in report?.zones ?? [] where zone.itemsCount + zone.inHand > 0 {
      Output.complain("\(zone.name): \(zone.itemsCount) staged, \(zone.inHand) in hand")
    }
    return isSettled ? .done : .no
  }
}
