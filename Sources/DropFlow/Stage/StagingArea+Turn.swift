import DropEngine
import DropSystem

/// The turn: whatever has come in, this carries out what follows from it, publishes it, and sets the next deadline.
extension StagingArea {
  func eventsArrived() {
    let now = time.now
    readEvents(at: now)
    turn(at: now)
  }

  func readEvents(at now: Duration) {
    if !events.read(at: now) { requestTurn() }
  }

  /// Asks for another turn, which reads events, after others have had theirs.
  private func requestTurn() {
    guard !isTurnRequested else { return }
    isTurnRequested = true
    perform { area in
      area.isTurnRequested = false
      area.eventsArrived()
    }
  }

  func deadlineReached() {
    let now = time.now
    calls.checkSilence(at: now)
    attend(to: zones.takeDue(at: now), at: now)
  }

  /// Deals with what is due in some zones. Of very many payloads only some are inspected: the deadline of the others is
  /// over in the next turn too.
  func attend(to due: [WatchedZone], at now: Duration) {
    for moved in scanner.renames.takeOverdueDirectories(at: now) { scanner.drop(moved.id, at: moved.location) }
    for zone in due {
      zone.schedule.deadline = nil
      zones.attend(to: zone)
      live.giveUpAsking(in: zone, at: now)
      for key in zone.staging.due(at: now, limit: DirectoryScanner.slice) { inspector.inspect(key, [], .due) }
      scanner.listAgain(in: zone, at: now)
      calls.probe(zone, for: self, at: now)
      guard zone.schedule.nextFullScan <= now else { continue }
      zone.schedule.nextFullScan = now + zone.settings.staging.rescan
      calls.checkRoot(of: zone, for: self)
      // A zone that is unavailable is looked for every second, and only looked for.
      if zone.root.unavailable == nil { scanner.scan(zone) }
    }
    scanner.scanDue(at: now)
    turn(at: now)
  }

  func turn(at now: Duration) {
    calls.start(for: self, at: now)
    live.attend()
    for zone in zones.changed where zone.root.needsCheck { calls.checkRoot(of: zone, for: self) }
    withdrawals.note(for: self, at: now)
    publisher.publishTargeted(at: now)
    for zone in zones.changed { inspector.askPostponed(in: zone, at: now) }
    inspector.takeAnswers(at: now)
    live.send(inspector.takeReleases(), at: now)
    live.askAboutChanges(at: now)
    for zone in zones.changed { zone.followLight(at: now) }
    for zone in zones.changed { zone.reportSessions(in: tree) }
    for zone in zones.changed { roots.updateAvailability(of: zone, at: now) }
    for zone in zones.changed { calls.scheduleProbe(of: zone, at: now) }
    publisher.publish(at: now)
    compareOriginals()
    calls.start(for: self, at: now)
    for zone in zones.changed where zone.coverage.isScanWanted && !zone.isScanning { endScan(of: zone, at: now) }
    answerWaiters()
    setDeadline(at: now)
    zones.endTurn { !$0.files.departed.isEmpty }
  }

  private func answerWaiters() {
    waiters.answerQuiet(where: isQuiet)
    waiters.answerInspected()
    waiters.answerUnavailable()
    if waiters.hasScanWaiters, zones.all.allSatisfy({ !$0.coverage.isScanWanted || $0.root.unavailable != nil }) {
      waiters.answerScans()
    }
  }

  /// Forgets what a complete scan has not met.
  private func endScan(of zone: WatchedZone, at now: Duration) {
    zone.coverage.isScanWanted = false
    // A zone that is unavailable has not been scanned: what lies in it still comes from before.
    guard zone.root.directory != nil, zone.root.unavailable == nil else { return }
    zone.coverage.isAfterCrash = false
    guard zone.coverage.unlisted.isEmpty else { return }
    zone.files.forgetExpected(for: zone.settings.staging.rescan, at: now)
    let gone = zone.files.takeEarlier()
    if !gone.isEmpty { notes.write(gone.map { .removeAttempts($0) }) }
  }

  private func compareOriginals() {
    for (zone, location) in inspector.takeOriginalsToCompare() { originals.compareLater(location, in: zone) }
    for zone in zones.changed where zone.originals.isComparing {
      guard let comparison = originals.nextComparison(in: zone) else { continue }
      let (name, pool) = (zone.name, zone.flow.pool)
      Task {
        let result = await pool.run { comparison.run() }
        guard let zone = zones[name] else { return }
        originals.take(result, of: comparison.original, in: zone)
        turn(at: time.now)
      }
    }
  }

  // MARK: - Deadlines

  private func setDeadline(at now: Duration) {
    for zone in zones.changed { zones.setDeadline(deadline(of: zone), of: zone) }
    let deadlines = [
      zones.nextDeadline(), scanner.polls.nextDeadline(), scanner.renames.deadline, places.deadline,
    ]
    loop.setDeadline(deadlines.compactMap { $0 }.min())
  }

  private func deadline(of zone: WatchedZone) -> Duration {
    let live = zone.live
    let deadlines = [
      zone.staging.nextDeadline, zone.coverage.departure == nil ? zone.files.departed.deadline : nil,
      publisher.deadline(of: zone), zone.coverage.unlisted.nextDeadline, zone.schedule.nextProbe, live?.deadline,
      live.flatMap { $0.changed.isEmpty ? nil : $0.nextRound },
    ]
    return deadlines.compactMap { $0 }.reduce(zone.schedule.nextFullScan, min)
  }
}
