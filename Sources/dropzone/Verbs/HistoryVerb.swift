import DropControl
import DropEngine

/// `history`: receipts, oldest first.
struct HistoryVerb: Verb {
  static let name = "history"
  static let summary = "show what became of what was dropped"
  static let usage = "[ZONE] [--follow] [--since T] [--json]"
  static let options = [Option.follow, Option.since, Option.json]
  static let details = """
    Oldest first. An id may have several lines, as when it was refused, asked about again and delivered: the last
    is its outcome. With --json one receipt a line.
    """

  let zone: String?
  let since: Moment?
  let follows: Bool
  let isJSON: Bool

  init(_ given: Given) throws(Failure) {
    zone = try Self.oneZone(given)
    if let text = given.value(.since) {
      guard let moment = TimeWords.moment(text.description) else {
        throw .usage(
          "\(given.command): '\(text)' is no time: write 2026-03-01T09:30:00Z, 2026-03-01, today, 10min or 2h")
      }
      since = moment
    } else {
      since = nil
    }
    follows = given.has(.follow)
    isJSON = given.has(.json)
  }

  static func oneZone(_ given: Given) throws(Failure) -> String? {
    let zones = try given.zones()
    if zones.count > 1 {
      throw .usage("\(given.command): one zone at most is wanted, and '\(given.operands[1])' is the second")
    }
    return zones.first
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    return try daemon.asking(of: zone.map { [$0] } ?? []) { () throws(ControlClientError) in
      guard follows else {
        try Self.each(client, of: zone, since: since) { show($0) }
        return .done
      }
      try client.followHistory(of: zone, since: since)
      while let entries = try client.nextReceipts() {
        for entry in entries { show(entry.receipt) }
      }
      return .done
    }
  }

  /// Goes through the ledger, page by page.
  static func each(
    _ client: ControlClient, of zone: String?, since: Moment?, _ body: (Receipt) -> Void
  ) throws(ControlClientError) {
    var after: Int64 = 0
    while true {
      let page = try client.history(of: zone, since: since, after: after)
      for entry in page.entries { body(entry.receipt) }
      guard let last = page.entries.last, !page.isComplete else { return }
      after = last.sequence
    }
  }

  private func show(_ receipt: Receipt) {
    if isJSON {
      Output.json(receipt)
    } else {
      Output.line(ReceiptLine(receipt).line(width: Output.width, style: Output.style))
    }
  }
}
