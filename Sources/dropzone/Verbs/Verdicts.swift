import DropControl
import DropEngine

/// What becomes of files that were put into a zone.
struct Verdicts {
  private let client: ControlClient
  private let daemon: Daemon
  private var expected: [Dropped] = []

  /// Follows the ledger from now on.
  init(_ daemon: Daemon, zone: String) throws(Failure) {
    let client = try daemon.connect()
    try daemon.asking(of: [zone]) { () throws(ControlClientError) in
      try client.followHistory(of: zone, since: .now)
      // The first reply says that it is followed.
      _ = try client.nextReceipts(atMost: .seconds(30))
    }
    self.client = client
    self.daemon = daemon
  }

  mutating func expect(_ file: Dropped) { expected.append(file) }

  /// Prints each verdict as it comes; false when one was refused, or is not there at the timeout.
  func show(timeout: Duration?, in zone: ZoneStatus) throws(Failure) -> Bool {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var waiting = expected
    var isAccepted = true
    while !waiting.isEmpty {
      let entries = try Daemon.asking { () throws(ControlClientError) in
        try client.nextReceipts(atMost: deadline.map { max(.zero, $0 - .now) })
      }
      guard let entries else {
        complain(about: waiting, in: zone)
        return false
      }
      for receipt in entries.map(\.receipt) {
        guard let index = waiting.firstIndex(where: { $0.isMeant(by: receipt) }) else { continue }
        waiting.remove(at: index)
        isAccepted = Self.isAcceptance(receipt) && isAccepted
        Output.line(ReceiptLine(receipt).verdict(style: Output.style))
      }
    }
    return isAccepted
  }

  static func isAcceptance(_ receipt: Receipt) -> Bool {
    switch receipt.outcome {
    case .delivered, .taken: true
    case .rejected, .failed, .withdrawn, .undone: false
    }
  }

  /// Says what each that is left waits for.
  private func complain(about files: [Dropped], in zone: ZoneStatus) {
    for file in files {
      let explanation = try? daemon.connect().explain(RawPath(zone.path).appending(file.name))
      let state = explanation.map { explanation in
        ": " + explanation.state + (explanation.waiting.map { ", waits for \($0.rawValue)" } ?? "")
          + (explanation.detail.map { ": \($0)" } ?? "")
      }
      Output.complain("'\(file.name)': no verdict yet" + (state ?? ""))
    }
  }
}
