package import DropEngine
import DropSystem

/// What is shown of the zones: snapshots for who asks, and a stream of changes for who watches.
extension StagingArea {
  /// Changes other than of `isTargeted` are folded to ten a second.
  private static let publishInterval = Duration.milliseconds(100)
  /// What is published takes one part of so many of the time, apart from changes of `isTargeted`.
  private static let publishShare = 20
  /// Staged payloads that are listed at most; a reply has no room for more.
  private static let listedLimit = 25_000

  func touch(_ name: String) {
    zones[name]?.isDirty = true
    touched.insert(name)
  }

  /// Publishes at once where a zone lights up or goes dark: no such change is folded.
  func publishTargeted(at now: Duration) {
    for name in touched.sorted() {
      guard let zone = zones[name], zone.isDirty, zone.publishedTargeted != zone.isTargeted else { continue }
      followLight(of: zone, at: now)
      if zone.publishedTargeted != nil || zone.isTargeted { zone.plan.watcher?.targeted(zone.isTargeted) }
      send(name, at: now)
    }
  }

  func publish(at now: Duration) {
    publishTargeted(at: now)
    guard !subscribers.isEmpty else { return }
    for name in touched.sorted() {
      guard let zone = zones[name], zone.isDirty, zone.nextPublish <= now else { continue }
      send(name, at: now)
    }
  }

  private func send(_ name: String, at now: Duration) {
    let isTargeted = zones[name]?.isTargeted
    zones[name]?.publishedTargeted = isTargeted
    zones[name]?.isDirty = false
    zones[name]?.nextPublish = now + Self.publishInterval
    let listening = subscribers.values.filter { $0.zones.isEmpty || $0.zones.contains(name) }
    let begin = monotonicNow()
    guard !listening.isEmpty, let status = status(of: name) else { return }
    for subscriber in listening { subscriber.continuation.yield(status) }
    // Of a zone with very many it takes a while, in which nobody else goes on.
    let end = monotonicNow()
    zones[name]?.nextPublish = end + max(Self.publishInterval, (end - begin) * Self.publishShare)
  }

  /// A zone as it is now.
  func status(of name: String) -> ZoneStatus? {
    guard let zone = zones[name] else { return nil }
    let settings = zone.settings
    let listed = listed(in: zone)
    let refusal = liveRefusal(listed, zone)
    let blocked = zone.blocked ?? blockedDetail(listed, zone)
    let state: ZoneStatus.State =
      zone.unavailable != nil
      ? .unavailable
      : zone.isPaused ? .paused : blocked != nil ? .blocked : zone.isTargeted ? .targeted : .idle
    let reason =
      zone.unavailable ?? blocked ?? refusal ?? unlistedReason(zone) ?? scanningReason(zone) ?? slowReason(zone)
    let inHand = zone.inHand + zone.staging.inFlightCount
    let count = zone.staging.count
    return ZoneStatus(
      name: name, path: settings.path, box: settings.box, rejects: settings.rejects, state: state,
      isTargeted: zone.isTargeted, operation: refusal != nil ? "forbidden" : liveOperation(listed, zone),
      reason: reason, title: settings.title, hint: settings.hint, symbol: settings.symbol, tint: settings.tint,
      label: label(zone, state, reason: reason, items: count, inHand: inHand), itemsCount: count,
      payloadBytes: zone.staging.bytes, inHand: inHand, accepted: zone.accepted, rejected: zone.rejected,
      staged: listed.map(\.status), last: zone.last)
  }

  private typealias Listed = (key: PayloadKey, status: StagedStatus)

  /// What is staged, the first that came first.
  private func listed(in zone: WatchedZone) -> [Listed] {
    var directories: [Int32: RawPath] = [:]
    let listed = zone.staging.map(oldest: Self.listedLimit) { key, payload -> Listed in
      let directory = directories[key.directory] ?? tree.location(of: key.directory)
      directories[key.directory] = directory
      let status = StagedStatus(
        id: payload.id, rawLocation: directory.appending(key.name), bytes: payload.status.size,
        firstSeen: payload.firstSeen, waiting: payload.waiting, detail: payload.detail)
      return (key, status)
    }
    return Arrival.order(of: listed.lazy.map(\.status)).map { listed[$0] }
  }

  /// Why the zone would refuse something that is arriving; told while it still does.
  private func liveRefusal(_ listed: [Listed], _ zone: WatchedZone) -> String? {
    let accept = zone.settings.accept
    guard accept.maxSize != nil || accept.maxItems != nil || !accept.types.isEmpty || zone.live != nil else {
      return nil
    }
    func refusal(of key: PayloadKey, _ payload: StagedPayload) -> String? {
      payload.waiting.isArriving ? self.refusal(of: key, payload, zone).map { "\(key.name): \($0)" } : nil
    }
    for (key, status) in listed where status.waiting.isArriving {
      if let payload = zone.staging[key], let refusal = refusal(of: key, payload) { return refusal }
    }
    guard listed.count < zone.staging.count else { return nil }
    return zone.staging.all.lazy.compactMap { refusal(of: $0.key, $0.payload) }.first { _ in true }
  }

  /// What one of them waits for a place for; where there are too many to be listed, any one.
  private func blockedDetail(_ listed: [Listed], _ zone: WatchedZone) -> String? {
    if let first = listed.first(where: { $0.status.waiting == .blocked }) { return first.status.detail }
    guard listed.count < zone.staging.count else { return nil }
    return zone.staging.all.first { $0.payload.waiting == .blocked }?.payload.detail
  }

  func refusal(of key: PayloadKey, _ payload: StagedPayload, _ zone: WatchedZone) -> String? {
    let accept = zone.settings.accept
    if let refusal = accept.sizeRefusal(payload.status.size, isComplete: false) { return refusal.message }
    if let refusal = accept.itemsRefusal(payload.ordinal) { return refusal.message }
    if let refusal = zone.live?.answers[payload.id]?.verdict?.refusal { return refusal }
    guard !accept.types.isEmpty, case .ordinary = payload.name,
      !zone.plan.mayTake(name: key.name, by: typer)
    else { return nil }
    return
      "its name says \(typer.claimedType(of: key.name) ?? "nothing"); this zone takes \(accept.types.joined(separator: ", "))"
  }

  /// How what arrives would be taken: copied where the zone, or the configuration for the first of it, says so.
  private func liveOperation(_ listed: [Listed], _ zone: WatchedZone) -> String {
    let own = zone.settings.delivery.operation
    guard own == .move, let live = zone.live,
      let first = listed.first(where: { $0.status.waiting.isArriving && live.answers[$0.status.id] != nil }),
      live.answers[first.status.id]?.verdict?.operation == .copy
    else { return own.rawValue }
    return LiveOperation.copy.rawValue
  }

  /// Names a configuration that answers late.
  private func slowReason(_ zone: WatchedZone) -> String? {
    guard let slowest = zone.live?.slowest else { return nil }
    return "its configuration took \(slowest.took.formatted) for '\(slowest.location)'"
  }

  /// Says where a zone relies on scans.
  private func scanningReason(_ zone: WatchedZone) -> String? {
    if !zone.unwatched.isEmpty {
      return "\(zone.unwatched.count) directories could not be watched and are scanned"
    }
    guard let root = zone.root, let kind = tree[root]?.kind, !kind.raisesEvents else { return nil }
    return "events do not tell all on \(kind.name): the zone is scanned"
  }

  private func label(
    _ zone: WatchedZone, _ state: ZoneStatus.State, reason: String?, items: Int, inHand: Int
  ) -> String {
    var parts = [
      "\(zone.settings.name): \(state == .targeted ? zone.settings.hint : zone.settings.title)", state.rawValue,
    ]
    if items > 0 { parts.append(items == 1 ? "1 item" : "\(items) items") }
    if inHand > 0 { parts.append("\(inHand) in hand") }
    if let reason { parts.append(reason) }
    return parts.joined(separator: ", ")
  }
}

/// Stands for a payload while they are put in order, which is much to move about itself.
private struct Arrival: Comparable {
  let firstSeen: Int64
  let id: DropID
  let index: Int

  /// Where they are, the first that came first.
  static func order(of listed: some Sequence<StagedStatus>) -> [Int] {
    listed.enumerated().map { Arrival(firstSeen: $1.firstSeen, id: $1.id, index: $0) }.sorted().map(\.index)
  }

  static func < (a: Arrival, b: Arrival) -> Bool { (a.firstSeen, a.id) < (b.firstSeen, b.id) }
}

// MARK: - Who asks

extension StagingArea {
  /// The named zones, all when none is named. What the kernel has to say is heard first.
  package func statuses(of names: [String]) throws(ControlError) -> [ZoneStatus] {
    eventsArrived()
    return try named(names).compactMap { status(of: $0) }
  }

  package func changes(of names: [String]) throws(ControlError) -> AsyncStream<ZoneStatus> {
    eventsArrived()
    let names = try named(names)
    let (stream, continuation) = AsyncStream.makeStream(of: ZoneStatus.self)
    let id = nextSubscriber
    nextSubscriber += 1
    for name in names {
      if let status = status(of: name) { continuation.yield(status) }
    }
    if isEnding {
      continuation.finish()
      return stream
    }
    subscribers[id] = Subscriber(zones: names.count == order.count ? [] : Set(names), continuation: continuation)
    continuation.onTermination = { [weak self] _ in
      Task { await self?.unsubscribe(id) }
    }
    return stream
  }

  private func unsubscribe(_ id: Int) {
    subscribers[id] = nil
  }

  func named(_ names: [String]) throws(ControlError) -> [String] {
    for name in names where zones[name] == nil { throw .noSuchZone(name) }
    return names.isEmpty ? order : names
  }

  /// True once nothing is arriving, in hand, blocked or to be tried again in the zones; false at the timeout, or as soon
  /// as the task is cancelled.
  package func wait(for names: [String], timeout: Duration?) async throws(ControlError) -> Bool {
    let names = try named(names)
    eventsArrived()
    return await untilNotified(timeout) { id, continuation, area in
      area.waiters[id] = Waiter(zones: Set(names), continuation: continuation)
      area.answerWaiters()
    }
  }

  func answerWaiters() {
    guard !waiters.isEmpty else { return }
    for (id, waiter) in waiters where waiter.zones.allSatisfy({ isQuiet($0) }) {
      waiters[id] = nil
      waiter.continuation.resume(returning: true)
    }
  }

  private func isQuiet(_ name: String) -> Bool {
    guard let zone = zones[name], zone.unavailable == nil, !zone.isPaused else { return true }
    if zone.isTargeted || zone.inHand > 0 || zone.staging.inFlightCount > 0 || isScanning { return false }
    if !zone.gone.isEmpty || !zone.comparing.isEmpty { return false }
    if zone.unlisted.values.contains(where: { !$0.isForbidden }) { return false }
    return !zone.staging.hasTrouble
  }

  /// Ends the streams and whoever waits, also those that come later: the daemon stops.
  package func endSubscriptions() {
    isEnding = true
    for subscriber in subscribers.values { subscriber.continuation.finish() }
    subscribers = [:]
    for waiter in waiters.values { waiter.continuation.resume(returning: false) }
    waiters = [:]
    for waiter in receiptWaiters.values { waiter.resume(returning: false) }
    receiptWaiters = [:]
    for waiter in scanWaiters { waiter.resume() }
    scanWaiters = []
  }

  /// Ends with the next receipt, or false at the timeout, or as soon as the task is cancelled.
  package func nextReceipt(timeout: Duration) async -> Bool {
    await untilNotified(timeout) { id, continuation, area in area.receiptWaiters[id] = continuation }
  }

  /// Waits for an answer to whoever `begin` enters. Nothing stays behind of one who waits no longer: neither the sleep
  /// that would have ended it, nor what a client that is gone had asked for.
  private func untilNotified(
    _ timeout: Duration?, _ begin: (Int, CheckedContinuation<Bool, Never>, isolated StagingArea) -> Void
  ) async -> Bool {
    if isEnding { return false }
    let id = nextSubscriber
    nextSubscriber += 1
    let timer = timeout.map { timeout in
      Task { [weak self] in
        if await TimerQueue.shared.sleep(for: timeout) { await self?.endWait(id) }
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(id, continuation, self)
        // A cancellation that came before found nobody to tell.
        if Task.isCancelled { endWait(id) }
      }
    } onCancel: {
      loop.perform { self.assumeIsolated { $0.endWait(id) } }
    }
  }

  private func endWait(_ id: Int) {
    waiters.removeValue(forKey: id)?.continuation.resume(returning: false)
    receiptWaiters.removeValue(forKey: id)?.resume(returning: false)
  }

  /// Holds for good: a restart does not resume a zone.
  package func setPaused(_ names: [String], _ isPaused: Bool) throws(ControlError) {
    guard !names.isEmpty else { throw .notPossible(id: "", message: "no zone was named") }
    for name in try named(names) {
      zones[name]?.isPaused = isPaused
      zones[name]?.staging.isPaused = isPaused
      touch(name)
      write([.setMeta("paused " + name, isPaused ? "yes" : nil)])
    }
    inspectDue(in: try named(names), at: monotonicNow())
  }

  /// Takes staged payloads as they are, or asks for them at once; returns the ids that are not staged.
  package func again(_ ids: [String], force: Bool) -> [String] {
    let now = monotonicNow()
    var rest = Set(ids)
    for name in order {
      let wanted = zones[name]?.staging.all.filter { rest.contains($0.payload.id.description) } ?? []
      for (key, payload) in wanted where rest.remove(payload.id.description) != nil {
        let next = force ? zones[name]?.staging.force(key, at: now) : zones[name]?.staging.askNow(key, at: now)
        if next == .ask { asks.append((name, key)) }
        touch(name)
      }
      if force {
        let taken = zones[name]?.taken.all.filter { rest.contains($0.id.description) } ?? []
        for note in taken where wasUndone(note.id) {
          rest.remove(note.id.description)
          releaseTaken(note.location, in: name, at: now)
        }
      }
    }
    turn(at: now)
    return ids.filter { rest.contains($0) }
  }

  /// Only what was put back waits in the zone for its release. The original of a copy has had its outcome.
  private func wasUndone(_ id: DropID) -> Bool {
    let record = try? ledger.read { (ledger) throws(SQLiteError) in try ledger.outcome(of: id) }
    return record?.outcome == .undone
  }

  private func releaseTaken(_ location: RawPath, in name: String, at now: Duration) {
    forgetTaken(location, in: name)
    guard let root = zones[name]?.root, let id = tree.find(location.parent, from: root) else { return }
    let key = PayloadKey(directory: id, name: location.lastComponent)
    inspect(at: [(key, [])], at: now)
    if zones[name]?.staging.force(key, at: now) == .ask { asks.append((name, key)) }
  }

  package func flow(of name: String) -> ZoneFlow? { zones[name]?.flow }
}
