import DropControl
import DropEngine

/// `rejects`: shows what was refused and has not been accepted since.
struct RejectsVerb: Verb {
  static let name = "rejects"
  static let summary = "show what was refused, and why"
  static let usage = "[ZONE] [--json]"
  static let options = [Option.json]
  static let details =
    "Refused files are in their zone's rejects, with the reason beside them. Use retry ID or release ID."

  let zone: String?
  let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    zone = try HistoryVerb.oneZone(arguments)
    isJSON = arguments.has(.json)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    var refused = RefusedDrops()
    try daemon.translatingErrors(about: zone.map { [$0] } ?? []) { () throws(ControlClientError) in
      try HistoryVerb.each(client, of: zone, since: nil) { refused.record($0) }
    }
    for receipt in refused.receipts {
      if isJSON {
        Output.json(receipt)
      } else {
        Output.line(ReceiptLine(receipt).line(width: Output.width, style: Output.style, id: true))
      }
    }
    return .done
  }
}

/// The drops whose last receipt is a refusal, in the order of these receipts.
struct RefusedDrops {
  private var last: [String: (order: Int, receipt: Receipt)] = [:]
  private var count = 0

  mutating func record(_ receipt: Receipt) {
    count += 1
    switch receipt.outcome {
    // A file that its handler removed without accepting it is not in the rejects.
    case .rejected where receipt.place == nil, .failed where receipt.place == nil: last[receipt.id] = nil
    case .rejected, .failed: last[receipt.id] = (count, receipt)
    case .delivered, .withdrawn, .taken, .undone: last[receipt.id] = nil
    }
  }

  var receipts: [Receipt] { last.values.sorted { $0.order < $1.order }.map(\.receipt) }
}
