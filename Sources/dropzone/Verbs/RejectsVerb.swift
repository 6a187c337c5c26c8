import DropControl
import DropEngine

/// `rejects`: what was refused, and by its last receipt still is.
struct RejectsVerb: Verb {
  static let name = "rejects"
  static let summary = "show what was refused, and why"
  static let usage = "[ZONE] [--json]"
  static let options = [Option.json]
  static let details = "Each lies in its zone's rejects, with the reason beside it; retry ID or release ID asks again."

  let zone: String?
  let isJSON: Bool

  init(_ given: Given) throws(Failure) {
    zone = try HistoryVerb.oneZone(given)
    isJSON = given.has(.json)
  }

  func run(_ daemon: Daemon) throws(Failure) -> ExitCode {
    let client = try daemon.connect()
    var refused = Refused()
    try daemon.asking(of: zone.map { [$0] } ?? []) { () throws(ControlClientError) in
      try HistoryVerb.each(client, of: zone, since: nil) { refused.note($0) }
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

/// The drops whose last receipt is a refusal, in the order of those.
struct Refused {
  private var last: [String: (order: Int, receipt: Receipt)] = [:]
  private var count = 0

  mutating func note(_ receipt: Receipt) {
    count += 1
    switch receipt.outcome {
    // Of what its handler removed and did not take nothing lies there.
    case .rejected where receipt.place == nil, .failed where receipt.place == nil: last[receipt.id] = nil
    case .rejected, .failed: last[receipt.id] = (count, receipt)
    case .delivered, .withdrawn, .taken, .undone: last[receipt.id] = nil
    }
  }

  var receipts: [Receipt] { last.values.sorted { $0.order < $1.order }.map(\.receipt) }
}
