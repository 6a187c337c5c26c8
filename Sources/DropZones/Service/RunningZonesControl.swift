import DropEngine
import DropFlow
import DropSystem

/// Answers requests about the running zones from the control socket.
struct RunningZonesControl: ZonesControl {
  /// For reading the ledger, whose file system may hang.
  private static let readers = BlockingPool(limit: 4, on: .fileSystems)

  let zones: RunningZones
  let version: String

  func status(of names: [String]) async throws(ControlError) -> StatusReport {
    StatusReport(daemon: await daemon, zones: try await zones.area.statuses(of: names))
  }

  private var daemon: DaemonStatus {
    get async {
      DaemonStatus(
        version: version, pid: Machine.processID, watches: await zones.area.watchCount,
        watchLimit: Machine.watchLimit, overflows: await zones.area.overflowCount,
        libmagic: zones.typer.libmagicVersion, mimeInfo: zones.typer.mimeInfoVersion)
    }
  }

  func changes(of names: [String]) async throws(ControlError) -> AsyncStream<ZoneStatus> {
    try await zones.area.changes(of: names)
  }

  func explain(_ path: RawPath) async throws(ControlError) -> Explanation {
    try await zones.area.explain(path)
  }

  func history(
    of zone: String?, since: String?, after: Int64, limit: Int
  ) async throws(ControlError) -> [HistoryEntry] {
    let since = since.flatMap { DropEngine.Timestamp.milliseconds($0) }
    let records: [ReceiptRecord]
    let isKnown: Bool
    do {
      (records, isKnown) = try await read { ledger throws(LedgerError) in
        let records = try ledger.receipts(of: zone, since: since, after: after, limit: limit)
        guard records.isEmpty, let zone else { return (records, true) }
        return (records, try ledger.lastReceipt(of: zone) != nil)
      }
    } catch {
      throw .notPossible(id: "", message: "\(error)")
    }
    // A zone that is no longer declared still has a history. A zone that never existed is a mistake.
    if !isKnown, let zone { _ = try await zones.area.statuses(of: [zone]) }
    return records.map { HistoryEntry(sequence: $0.sequence, receipt: $0.receipt) }
  }

  func receipts(after: Int64, timeout: Duration) async throws(ControlError) -> Bool {
    if try await !history(of: nil, since: nil, after: after, limit: 1).isEmpty { return true }
    return await zones.area.nextReceipt(timeout: timeout)
  }

  func pause(_ names: [String]) async throws(ControlError) {
    try await zones.area.setPaused(names, true)
  }

  func resume(_ names: [String]) async throws(ControlError) {
    try await zones.area.setPaused(names, false)
  }

  func reload() async throws(ControlError) {
    do throws(OpeningError) {
      try await zones.reload()
    } catch {
      throw .configuration(error.description)
    }
  }

  func retry(_ ids: [String]) async throws(ControlError) {
    try await again(ids, force: false)
  }

  func release(_ ids: [String]) async throws(ControlError) {
    try await again(ids, force: true)
  }

  func undo(_ ids: [String]) async throws(ControlError) {
    for id in ids {
      let (record, flow) = try await record(of: id)
      do throws(RetryableError) { try await flow.undo(record) } catch {
        throw .notPossible(id: id, message: error.message)
      }
    }
  }

  /// Judges staged payloads again where they are, and takes refused ones out of the rejects.
  private func again(_ ids: [String], force: Bool) async throws(ControlError) {
    for id in await zones.area.again(ids, force: force) {
      let (record, flow) = try await record(of: id)
      do throws(RetryableError) {
        try await flow.retry(record, force: force)
      } catch {
        throw .notPossible(id: id, message: error.message)
      }
    }
  }

  /// Returns the last receipt of a drop, and the flow of its zone.
  private func record(of text: String) async throws(ControlError) -> (ReceiptRecord, ZoneFlow) {
    guard let id = DropID(text) else {
      throw .notPossible(id: text, message: "this is not a drop id; a drop id has 26 letters and digits")
    }
    let record: ReceiptRecord?
    let isInHand: Bool
    do {
      (record, isInHand) = try await read { ledger throws(LedgerError) in
        let record = try ledger.outcome(of: id)
        let row = try ledger.drop(id)
        return (record, record == nil && row != nil)
      }
    } catch {
      throw .notPossible(id: text, message: "\(error)")
    }
    guard let record else {
      throw .notPossible(id: text, message: isInHand ? "it is in hand" : "there is no drop with this id")
    }
    guard let flow = await zones.area.flow(of: record.zone) else {
      throw .notPossible(id: text, message: "its zone '\(record.zone)' is not open")
    }
    return (record, flow)
  }

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (Ledger) throws(LedgerError) -> Value
  ) async throws(LedgerError) -> Value {
    let ledger = zones.ledger
    return try await Self.readers.run { () throws(LedgerError) in try body(ledger) }
  }

  func wait(for names: [String], timeout: Duration?) async throws(ControlError) -> Bool {
    try await zones.area.wait(for: names, timeout: timeout)
  }
}
