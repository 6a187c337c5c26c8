package import DropEngine

extension ControlClient {
  /// The state of the named zones, of all when none is named.
  package func list(_ zones: [String]) throws(ControlClientError) -> StatusReport {
    try call("List", ZonesParameters(zones: zones))
  }

  /// Starts to follow zones; read with `next(MonitorReply.self)`.
  package func monitor(_ zones: [String]) throws(ControlClientError) {
    try start("Monitor", ZonesParameters(zones: zones))
  }

  package func explain(_ path: RawPath) throws(ControlClientError) -> Explanation {
    // As bytes, whatever they are: one way is enough.
    let reply: ExplainReply = try call("Explain", ["pathBytes": VarlinkJSON.base64(path.bytes)])
    return reply.explanation
  }

  /// Receipts placed after `after`, some hundred at once, and whether there are no more.
  package func history(
    of zone: String?, since: Moment?, after: Int64
  ) throws(ControlClientError) -> (entries: [HistoryEntry], isComplete: Bool) {
    let reply: HistoryReply = try call("History", HistoryParameters(zone: zone, since: since, after: after))
    return (reply.entries, reply.complete)
  }

  /// Starts to follow the ledger; read with `nextReceipts`.
  package func followHistory(of zone: String?, since: Moment?) throws(ControlClientError) {
    try start("History", HistoryParameters(zone: zone, since: since, after: 0))
  }

  /// The next receipts of a ledger that is followed; nil when there are none within `timeout`.
  package func nextReceipts(atMost timeout: Duration? = nil) throws(ControlClientError) -> [HistoryEntry]? {
    try next(HistoryReply.self, atMost: timeout)?.entries
  }

  /// Waits in the daemon; false at the timeout.
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

    init(zone: String?, since: Moment?, after: Int64) {
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
  /// Rounded up.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isOver) = seconds.multipliedReportingOverflow(by: 1_000)
    return isOver ? .max : whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
