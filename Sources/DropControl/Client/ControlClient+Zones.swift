package import DropEngine

extension ControlClient {
  /// Returns the state of the named zones, or of all zones if none is named.
  package func list(_ zones: [String]) throws(ControlClientError) -> StatusReport {
    try call("List", ZonesParameters(zones: zones))
  }

  /// Starts to follow zones; read the replies with `next(MonitorReply.self)`.
  package func monitor(_ zones: [String]) throws(ControlClientError) {
    try start("Monitor", ZonesParameters(zones: zones))
  }

  package func explain(_ path: RawPath) throws(ControlClientError) -> Explanation {
    // Always send the path as bytes, so that there is only one case.
    let reply: ExplainReply = try call("Explain", ["pathBytes": VarlinkJSON.base64(path.bytes)])
    return reply.explanation
  }

  /// Returns receipts with sequence numbers above `after`, at most about a thousand, and whether these are all.
  package func history(
    of zone: String?, since: WallTime?, after: Int64
  ) throws(ControlClientError) -> (entries: [HistoryEntry], isComplete: Bool) {
    let reply: HistoryReply = try call("History", HistoryParameters(zone: zone, since: since, after: after))
    return (reply.entries, reply.complete)
  }

  /// Starts to follow the ledger; read the receipts with `nextReceipts`.
  package func followHistory(of zone: String?, since: WallTime?) throws(ControlClientError) {
    try start("History", HistoryParameters(zone: zone, since: since, after: 0))
  }

  /// Returns the next receipts after `followHistory`; nil if none arrive within `timeout`.
  package func nextReceipts(atMost timeout: Duration? = nil) throws(ControlClientError) -> [HistoryEntry]? {
    try next(HistoryReply.self, atMost: timeout)?.entries
  }

  /// Waits until nothing is left to do in these zones; returns false at the timeout.
  package func wait(for zones: [String], timeout: Duration?) throws(ControlClientError) -> Bool {
    let reply: WaitReply = try call("Wait", WaitParameters(zones: zones, milliseconds: timeout?.wholeMilliseconds))
    return reply.settled
  }

  package func pause(_ zones: [String]) throws(ControlClientError) {
    let _: NoParameters = try call("Pause", ZonesParameters(zones: zones))
  }

  package func resume(_ zones: [String]) throws(ControlClientError) {
    let _: NoParameters = try call("Resume", ZonesParameters(zones: zones))
  }

  package func reload() throws(ControlClientError) {
    let _: NoParameters = try call("Reload", NoParameters())
  }

  package func retry(_ ids: [String]) throws(ControlClientError) {
    let _: NoParameters = try call("Retry", ["ids": ids])
  }

  package func release(_ ids: [String]) throws(ControlClientError) {
    let _: NoParameters = try call("Release", ["ids": ids])
  }

  package func undo(_ ids: [String]) throws(ControlClientError) {
    let _: NoParameters = try call("Undo", ["ids": ids])
  }

  private struct ZonesParameters: Encodable { let zones: [String] }

  private struct HistoryParameters: Encodable {
    let zone: String?
    let since: String?
    let after: Int64

    init(zone: String?, since: WallTime?, after: Int64) {
      self.zone = zone
      self.since = since?.description
      self.after = after
    }
  }

  private struct WaitParameters: Encodable {
    let zones: [String]
    let milliseconds: Int64?
  }
}

extension Duration {
  /// The duration in milliseconds, rounded up.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
    return isOver ? .max : whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
