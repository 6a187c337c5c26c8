package import DropEngine
import DropSystem

/// What operators and programs ask.
extension StagingArea {
  /// How long an answer may wait for places.
  private static let answerTime = Duration.milliseconds(500)
  /// How long an explanation may.
  private static let explanationTime = Duration.seconds(5)

  /// The states of the named zones, or of all of them. What the kernel has to say is read first.
  package func statuses(of names: [String]) async throws(ControlError) -> [ZoneStatus] {
    await readEvents(of: try zones.named(names))
    return try zones.named(names).map { composer.status(of: $0) }
  }

  package func changes(of names: [String]) async throws(ControlError) -> AsyncStream<ZoneStatus> {
    await readEvents(of: try zones.named(names))
    return publisher.subscribe(to: try zones.named(names)) { [weak self] id in
      Task { await self?.unsubscribe(id) }
    }
  }

  /// Reads what the kernel has to say, and has it inspected; a place that is slow to answer is not waited for.
  private func readEvents(of zones: [WatchedZone]) async {
    eventsArrived()
    if zones.allSatisfy(\.coverage.isInspected) { return }
    _ = await wait(for: .inspected(InspectionBarrier(zones, at: time.now)), Self.answerTime)
  }

  private func unsubscribe(_ id: Int) {
    publisher.unsubscribe(id)
  }

  package var watchCount: Int { tree.watchCount }
  package var overflowCount: Int { events.overflows }
  package func flow(of name: String) -> ZoneFlow? { zones[name]?.flow }

  // MARK: - Explanations

  /// Why a file waits, or what would happen to it: each rule's answer, from its name and its status alone.
  package func explain(_ path: RawPath) async throws(ControlError) -> Explanation {
    guard let (zone, location) = zones.find(path) else { throw .notInAnyZone(path.description) }
    await readEvents(of: [zone])
    let status = await status(at: location, in: zone)
    let key = zone.root.directory.flatMap { tree.key(of: location, from: $0) }
    var explanation = Explainer(tree: tree, typer: composer.typer).explain(location, in: zone, key, status)
    if explanation.state == .notThere { await explainClaimed(location, in: zone, &explanation) }
    return explanation
  }

  private func status(at location: RawPath, in zone: WatchedZone) async -> FileStatus? {
    guard let root = zone.root.directory, let directory = tree.find(location.parent, from: root),
      let route = tree.route(to: directory)
    else { return nil }
    return await zone.flow.pool.answer(within: Self.explanationTime) {
      try? route.open().status(of: location.lastComponent)
    }?.flatMap { $0 }
  }

  /// A payload that has left the zone for the hold is known by its row.
  private func explainClaimed(
    _ location: RawPath, in zone: WatchedZone, _ explanation: inout Explanation
  ) async {
    let (ledger, name) = (notes.ledger, zone.name)
    let row = await zone.flow.pool.answer(within: Self.explanationTime) {
      try? ledger.drops().last { $0.zone == name && $0.location == location }
    }
    guard let row = row.flatMap({ $0 }) else { return }
    explanation.state = .inHand
    explanation.evidence = row.evidence
    let (flow, id) = (zone.flow, row.id)
    explanation.detail = await result(of: { await flow.trouble(of: id) }, within: Self.answerTime) ?? nil
    if row.attempts > 0 {
      explanation.rules.append(.init(rule: "OnDrop", passes: nil, detail: "attempt \(row.attempts)"))
    }
  }

  // MARK: - Waiting

  /// Returns true once nothing is arriving, in hand, blocked or to be tried again in the zones; false at the timeout, or
  /// as soon as the task is cancelled.
  package func wait(for names: [String], timeout: Duration?) async throws(ControlError) -> Bool {
    let zones = try zones.named(names)
    eventsArrived()
    return await wait(for: .quiet(zones), timeout)
  }

  /// Returns true with the next receipt; false at the timeout, or as soon as the task is cancelled.
  package func nextReceipt(timeout: Duration) async -> Bool {
    await wait(for: .receipt, timeout)
  }

  /// Returns once a zone is unavailable, or the daemon stops, or the task is cancelled.
  package func unavailable(_ name: String) async {
    guard let zone = zones[name] else { return }
    _ = await wait(for: .unavailable(zone), nil)
  }

  /// Returns once every scan that was asked for so far is done, or the daemon stops.
  package func scanned() async {
    guard !waiters.isEnding, zones.all.contains(where: \.coverage.isScanWanted) else { return }
    await withCheckedContinuation { waiters.addForScans($0) }
  }

  func isQuiet(_ zone: WatchedZone) -> Bool {
    if zone.root.unavailable != nil || zone.staging.isPaused { return true }
    if zone.isTargeted || zone.load.inHand > 0 || zone.staging.inFlightCount > 0 { return false }
    if zone.coverage.isScanWanted || zone.isScanning || !zone.coverage.isInspected { return false }
    if !zone.files.departed.isEmpty || zone.originals.isComparing { return false }
    return !zone.coverage.unlisted.isAnyExpected && !zone.staging.hasTrouble
  }

  /// Nothing stays behind of a caller that waits no longer: neither its timer, nor what a client that is gone had asked
  /// for.
  func wait(for event: Waiters.Event, _ timeout: Duration?) async -> Bool {
    if waiters.isEnding { return false }
    let number = waiters.nextNumber()
    let timer = timeout.map { timeout in
      Task { [weak self, time] in
        if await time.sleep(for: timeout) { await self?.endWait(number) }
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        waiters.add(caller, number, for: event)
        waiters.answerQuiet(where: isQuiet)
        waiters.answerInspected()
        waiters.answerUnavailable()
        // The handler found nothing to end if the task was cancelled before.
        if Task.isCancelled { endWait(number) }
      }
    } onCancel: {
      perform { $0.endWait(number) }
    }
  }

  private func endWait(_ number: Int) {
    waiters.give(up: number)
  }

  /// Ends streams and waits, also those that are asked for later: the daemon stops.
  package func endSubscriptions() {
    publisher.end()
    waiters.end()
  }

  // MARK: - Operators' decisions

  /// Pauses zones for good: a restart does not resume them.
  package func setPaused(_ names: [String], _ isPaused: Bool) throws(ControlError) {
    guard !names.isEmpty else { throw .notPossible(id: "", message: "no zone was named") }
    let paused = try zones.named(names)
    for zone in paused {
      zone.setPaused(isPaused)
      zones.touch(zone)
      notes.write([.setPaused(zone.name, isPaused)])
    }
    attend(to: paused, at: time.now)
  }

  /// Asks about staged payloads at once, or takes them as they are if `force` is set; returns the ids that are not staged.
  package func again(_ ids: [String], force: Bool) async -> [String] {
    let now = time.now
    var rest = Set(ids)
    for zone in zones.all {
      let wanted = zone.staging.all.filter { rest.contains($0.payload.id.description) }
      for (key, payload) in wanted where rest.remove(payload.id.description) != nil {
        inspector.follow(
          force ? zone.staging.force(key, at: now) : zone.staging.askNow(key, at: now), key, in: zone)
        zones.touch(zone)
      }
    }
    if force, !rest.isEmpty { await releaseOriginals(&rest, at: now) }
    turn(at: time.now)
    return ids.filter { rest.contains($0) }
  }

  /// Takes payloads that undo has put back. The original of a copy is none of them: it has had its outcome.
  private func releaseOriginals(_ rest: inout Set<String>, at now: Duration) async {
    let ledger = notes.ledger
    for zone in zones.all {
      for original in zone.originals.all.filter({ rest.contains($0.id.description) }) {
        let outcome = await zone.flow.pool.answer(within: Self.explanationTime) {
          try? ledger.outcome(of: original.id)?.outcome
        }
        guard outcome == .undone else { continue }
        rest.remove(original.id.description)
        originals.forget(original.location, in: zone)
        guard let root = zone.root.directory, let key = tree.key(of: original.location, from: root) else { continue }
        inspector.inspect(key)
        await readEvents(of: [zone])
        inspector.follow(zone.staging.force(key, at: now), key, in: zone)
        zones.touch(zone)
      }
    }
  }
}
