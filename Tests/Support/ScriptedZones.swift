package import DropEngine
internal import Synchronization

/// A daemon without zones: it publishes what a test says, and notes what it is told.
package final class ScriptedZones: ZonesControl {
  private let state: Mutex<State>

  private struct State {
    var zones: [ZoneStatus]
    var entries: [HistoryEntry] = []
    var told: [String] = []
    var refusal: ControlError?
    var watchers: [Int: (zones: [String], continuation: AsyncStream<ZoneStatus>.Continuation)] = [:]
    var readers: [Int: AsyncStream<Never>.Continuation] = [:]
    var waiters: [Int: AsyncStream<Never>.Continuation] = [:]
    var isSettled = true
    var counted = 0

    mutating func count() -> Int {
      counted += 1
      return counted
    }
  }

  package init(_ zones: [ZoneStatus] = [.sample("invoices"), .sample("photos")]) {
    state = Mutex(State(zones: zones))
  }

  // The test's side.

  /// Makes `zone` the state of the zone with its name, and tells those who follow.
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

  /// Every change from now on is refused with `error`.
  package func refuse(with error: ControlError?) {
    state.withLock { $0.refusal = error }
  }

  /// Whether `wait` returns at once; setting it lets those go on who wait.
  package func settle(_ isSettled: Bool) {
    let waiting = state.withLock { state in
      state.isSettled = isSettled
      defer { if isSettled { state.waiters = [:] } }
      return isSettled ? Array(state.waiters.values) : []
    }
    for waiter in waiting { waiter.finish() }
  }

  /// What was told, such as `pause invoices`.
  package var told: [String] { state.withLock { $0.told } }

  /// How many follow changes now.
  package var followers: Int { state.withLock { $0.watchers.count } }

  /// How many wait for zones to settle now.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Ends every stream, as a daemon does that stops.
  package func stop() {
    for watcher in state.withLock({ Array($0.watchers.values) }) { watcher.continuation.finish() }
  }

  // The server's side.

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
      zone: zone.name, location: location.description, locationBytes: "", state: "staged", waiting: .quiet,
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

  package func pause(_ zones: [String]) async throws(ControlError) { try tell("pause", zones) }
  package func resume(_ zones: [String]) async throws(ControlError) { try tell("resume", zones) }
  package func reload() async throws(ControlError) { try tell("reload", []) }
  package func retry(_ ids: [String]) async throws(ControlError) { try tell("retry", ids) }
  package func release(_ ids: [String]) async throws(ControlError) { try tell("release", ids) }
  package func undo(_ ids: [String]) async throws(ControlError) { try tell("undo", ids) }

  private func tell(_ what: String, _ whom: [String]) throws(ControlError) {
    if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    state.withLock { $0.told.append(([what] + whom).joined(separator: " ")) }
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
