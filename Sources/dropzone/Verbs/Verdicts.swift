import DropControl
import DropEngine

/// The verdicts on files that were put into a zone.
struct Verdicts {
  private let client: ControlClient
  private let daemon: Daemon
  private var expected: [DroppedCopy] = []

  /// Starts to follow the ledger.
  init(_ daemon: Daemon, zone: String) throws(Failure) {
    let client = try daemon.connect()
    try daemon.translatingErrors(about: [zone]) { () throws(ControlClientError) in
      try client.followHistory(of: zone, since: .now)
      // The first reply confirms that we are following it.
      _ = try client.nextReceipts(atMost: .seconds(30))
    }
    self.client = client
    self.daemon = daemon
  }

  mutating func expect(_ file: DroppedCopy) { expected.append(file) }

  /// Prints each verdict as it arrives. Returns false if a file was refused or has no verdict at the timeout.
  func show(timeout: Duration?, in zone: ZoneStatus) throws(Failure) -> Bool {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var waiting = expected
    var isAccepted = true
    while !waiting.isEmpty {
      let entries = try Daemon.translatingErrors { () throws(ControlClientError) in
        try client.nextReceipts(atMost: deadline.map { max(.zero, $0 - .now) })
      }
      guard let entries else {
        complain(about: waiting, in: zone)
        return false
      }
      for receipt in entries.map(\.receipt) {
        guard let index = waiting.firstIndex(where: { $0.matches(receipt) }) else { continue }
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

  /// Says what each remaining file is waiting for.
  private func complain(about files: [DroppedCopy], in zone: ZoneStatus) {
    for file in files {
      let explanation = try? daemon.connect().explain(RawPath(zone.path).appending(file.name))
      let state = explanation.map { explanation in
        ": " + explanation.state.rawValue + (explanation.waiting.map { ", waiting for \($0.rawValue)" } ?? "")
          + (explanation.detail.map { ": \($0)" } ?? "")
      }
      Output.complain("'\(file.name)' has no verdict yet" + (state ?? ""))
    }
  }
}
