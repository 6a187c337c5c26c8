import DropControl
import DropEngine

/// `history`: shows receipts, oldest first.
struct HistoryVerb: Verb {
  static let name = "history"
  static let summary = "show the receipts of what was dropped"
  static let usage = "[ZONE] [--follow] [--since T] [--json]"
  static let options = [Option.follow, Option.since, Option.json]
  static let details = """
    Receipts are shown oldest first. An id may have several receipts, for example if a file was refused, retried and
    delivered; the last one is its outcome. With --json, each line is one receipt.
    """

  let zone: String?
  let since: WallTime?
  let follows: Bool
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    zone = try Self.oneZone(arguments)
    if let text = arguments.value(.since) {
      guard let time = TimeArgument.wallTime(text.description) else {
        throw .usage(
          "\(arguments.command): '\(text)' is not a time; write 2026-03-01T09:30:00Z, 2026-03-01, today, 10min or 2h")
      }
      since = time
    } else {
      since = nil
    }
    follows = arguments.has(.follow)
    isJSON = arguments.has(.json)
  }

  static func oneZone(_ arguments: ParsedArguments) throws(Failure) -> String? {
    let zones = try arguments.zones()
    if zones.count > 1 {
      throw .usage("\(arguments.command): unexpected argument '\(arguments.operands[1])' after the name of a zone")
    }
    return zones.first
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    return try daemon.translatingErrors(about: zone.map { [$0] } ?? []) { () throws(ControlClientError) in
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

  /// Reads the ledger page by page.
  static func each(
    _ client: ControlClient, of zone: String?, since: WallTime?, _ body: (Receipt) -> Void
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
