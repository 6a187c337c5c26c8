package import DropEngine
internal import Synchronization

/// A stand-in for a daemon: it publishes the states that a test sets, and records requests.
package final class ScriptedZones: ZonesControl {
  private let state: Mutex<State>

  private struct State {
    var zones: [ZoneStatus]
    var entries: [HistoryEntry] = []
    var requests: [String] = []
    var refusal: ControlError?
    var watchers: [Int: (zones: [String], continuation: AsyncStream<ZoneStatus>.Continuation)] = [:]
    var readers: [Int: AsyncStream<Never>.Continuation] = [:]
    var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    var isSettled = true
    var lastNumber = 0

    mutating func count() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  package init(_ zones: [ZoneStatus] = [.sample("invoices"), .sample("photos")]) {
    state = Mutex(State(zones: zones))
  }

  // MARK: - For tests

  /// Sets the state of the zone with this name, and sends it to followers.
  package func publish(_ zone: ZoneStatus) {
    state.withLock { state in
      state.zones.removeAll { $0.name == zone.name }
      state.zones.append(zone)
      for watcher in state.watchers.values where watcher.zones.isEmpty || watcher.zones.contains(zone.name) {
        watcher.continuation.yield(zone)
      }
    }
  }

  /// Adds a receipt to the ledger.
  package func add(_ receipt: Receipt) {
    let waiting = state.withLock { state in
      state.entries.append(HistoryEntry(sequence: Int64(state.entries.count) + 1, receipt: receipt))
      defer { state.readers = [:] }
      return Array(state.readers.values)
    }
    for reader in waiting { reader.finish() }
  }

  /// Makes all further requests fail with `error`.
  package func refuse(with error: ControlError?) {
    state.withLock { $0.refusal = error }
  }

  /// Sets whether `wait` returns at once. With true, also ends current calls of `wait`.
  package func settle(_ isSettled: Bool) {
    let waiting = state.withLock { state in
      state.isSettled = isSettled
      defer { if isSettled { state.waiters = [:] } }
      return isSettled ? Array(state.waiters.values) : []
    }
    for waiter in waiting { waiter.finish() }
  }

  /// The requests that were made, such as `pause invoices`.
  package var requests: [String] { state.withLock { $0.requests } }

  /// The number of clients that are following changes.
  package var followers: Int { state.withLock { $0.watchers.count } }

  /// The number of clients that are waiting for zones to settle.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Ends every stream, as a daemon does when it stops.
  package func stop() {
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.continuation.finish() }
  }

  // MARK: - For the server

  package func status(of zones: [String]) async throws(ControlError) -> StatusReport {
    try StatusReport(daemon: .sample, zones: named(zones))
  }

  private func named(_ names: [String]) throws(ControlError) -> [ZoneStatus] {
    let all = state.withLock { $0.zones }
    if let unknown = names.first(where: { name in !all.contains { $0.name == name } }) { throw .noSuchZone(unknown) }
    return all.filter { names.isEmpty || names.contains($0.name) }.sorted { $0.name < $1.name }
  }

  package func changes(of zones: [String]) async throws(ControlError) -> AsyncStream<ZoneStatus> {
    let first = try named(zones)
    let (stream, continuation) = AsyncStream.makeStream(of: ZoneStatus.self)
    let number = state.withLock { state in
      for zone in first { continuation.yield(zone) }
      let number = state.count()
      state.watchers[number] = (zones, continuation)
      return number
    }
    continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers[number] = nil } }
    return stream
  }

  package func explain(_ path: RawPath) async throws(ControlError) -> Explanation {
    let all = state.withLock { $0.zones }
    guard let zone = all.first(where: { path.bytes.starts(with: Array(($0.path + "/").utf8)) }) else {
      throw .notInAnyZone(path.description)
    }
    let location = RawPath(bytes: Array(path.bytes.dropFirst(zone.path.utf8.count + 1)))
    return Explanation(
      zone: zone.name, location: location.description, locationBytes: "", state: .staged, waiting: .quiet,
      detail: "quiet for 0.4 s more", evidence: .lease, claimedType: "application/pdf",
      rules: [
        .init(rule: "Names", passes: true, detail: "every name"),
        .init(rule: "Types", passes: nil, detail: "application/pdf"),
      ])
  }

  package func history(
    of zone: String?, since: String?, after: Int64, limit: Int
  ) async throws(ControlError) -> [HistoryEntry] {
    if let zone { _ = try named([zone]) }
    let entries = state.withLock { $0.entries }
    return Array(
      entries.filter { entry in
        entry.sequence > after && (zone == nil || entry.receipt.zone == zone)
          && (since.map { entry.receipt.finished >= $0 } ?? true)
      }.prefix(limit))
  }

  package func receipts(after: Int64, timeout: Duration) async throws(ControlError) -> Bool {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let isThere = state.withLock { state in
      if let last = state.entries.last, last.sequence > after { return true }
      state.readers[state.count()] = continuation
      return false
    }
    if !isThere { for await _ in stream {} }
    return true
  }

  package func pause(_ zones: [String]) async throws(ControlError) { try record("pause", zones) }
  package func resume(_ zones: [String]) async throws(ControlError) { try record("resume", zones) }
  package func reload() async throws(ControlError) { try record("reload", []) }
  package func retry(_ ids: [String]) async throws(ControlError) { try record("retry", ids) }
  package func release(_ ids: [String]) async throws(ControlError) { try record("release", ids) }
  package func undo(_ ids: [String]) async throws(ControlError) { try record("undo", ids) }

  private func record(_ method: String, _ arguments: [String]) throws(ControlError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    state.withLock { $0.requests.append(([method] + arguments).joined(separator: " ")) }
  }

  package func wait(for zones: [String], timeout: Duration?) async throws(ControlError) -> Bool {
    _ = try named(zones)
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let number = state.withLock { state -> Int? in
      if state.isSettled { return nil }
      let number = state.count()
      state.waiters[number] = continuation
      return number
    }
    guard let number else { return true }
    let clock = timeout.map { timeout in
      Task {
        try? await Task.sleep(for: timeout)
        continuation.finish()
      }
    }
    for await _ in stream {}
    clock?.cancel()
    return state.withLock { state in
      state.waiters[number] = nil
      return state.isSettled
    }
  }
}
