import DropEngine
import DropSystem

/// What flows report of payloads that have left staging.
extension StagingArea {
  func claimed(_ keys: [PayloadKey], in zone: WatchedZone) {
    let now = time.now
    for key in keys {
      if let id = zone.staging.released(key)?.id { zone.live?.forget(id) }
      zone.staging.claimed(key, at: now)
      zone.files.leaving[key] = nil
      inspector.outdate(key)
    }
    if zone.load.isBlockLogged, !zone.staging.isWaitingForPlace {
      zone.load.isBlockLogged = false
      log.notice("no longer blocked", zone: zone.name, id: nil, location: nil)
    }
    if !zone.originals.isEmpty {
      // An original that was written to while its copy was made was in flight when it was inspected.
      for key in keys where zone.originals[tree.location(of: key)] != nil { inspector.inspect(key) }
    }
    zones.touch(zone)
    turn(at: now)
  }

  func notClaimed(_ refusals: [ClaimRefusal], in zone: WatchedZone) {
    let now = time.now
    for refusal in refusals { putBack(refusal, in: zone, at: now) }
    zones.touch(zone)
    turn(at: now)
  }

  private func putBack(_ refusal: ClaimRefusal, in zone: WatchedZone, at now: Duration) {
    let key = refusal.key
    if let id = zone.staging.released(key)?.id {
      zone.sessions.giveBack(id)
      zone.load.askedAgain.remove(id)
    }
    if let location = zone.files.leaving.removeValue(forKey: key) {
      // Its directory is gone: the payload is withdrawn, unless it turns up elsewhere.
      if let location, let payload = zone.staging.released(key) {
        zone.files.departed.add(payload, from: location, at: now)
      }
      zone.staging.claimed(key, at: now)
      return
    }
    zone.logTrouble(refusal, in: log) { tree.location(of: refusal.key) }
    inspector.follow(
      zone.staging.putBack(key, refusal.waiting, refusal.detail, endsAtChange: refusal.endsAtChange, at: now), key,
      in: zone)
    if refusal.waiting == nil { inspector.inspect(key) }
  }

  func handChanged(_ inHand: Int, blocked: String?, of flow: ObjectIdentifier, in zone: WatchedZone) {
    zone.load.set(inHand, blocked: blocked, of: flow)
    zones.touch(zone)
    turn(at: time.now)
  }

  func finished(_ records: [ReceiptRecord], in zone: WatchedZone?) {
    if let zone {
      for record in records { zone.finish(record) }
      if let last = records.last { zone.report.last = last.receipt }
      zones.touch(zone)
    }
    waiters.answerReceipts()
    turn(at: time.now)
  }

  // MARK: - What is about to reappear

  func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin, in name: String) {
    zones[name]?.files.expect(identity, origin, at: time.now)
  }

  func settled(_ id: DropID, in name: String) async {
    guard let zone = zones[name] else { return }
    // The event of its return comes first, or the zone would go dark between the two.
    eventsArrived()
    _ = await wait(for: .inspected(InspectionBarrier([zone], at: time.now)), nil)
    zone.load.askedAgain.remove(id)
    zone.sessions.giveBack(id)
    zones.touch(zone)
    turn(at: time.now)
  }

  func noted(_ notes: [CopiedOriginal], in name: String) {
    if let zone = zones[name] { originals.add(notes, in: zone) }
  }

  func copied(_ notes: [CopiedOriginal], in name: String) {
    if let zone = zones[name] { originals.addCopied(notes, in: zone) }
  }

  func notComing(_ id: DropID, at location: RawPath, in name: String) {
    guard let zone = zones[name] else { return }
    originals.remove(id, at: location, in: zone)
    turn(at: time.now)
  }

  /// Asks the zone's configuration about a reject that is tried again.
  func configure(_ drop: Drop, in name: String) async -> LiveReply {
    guard let zone = zones[name], live.canAsk(about: drop, in: zone), let number = zone.live?.number else {
      return .nobody
    }
    Task {
      await time.sleep(for: LiveZone.patience)
      if let zone = zones[name] { live.giveUp(on: drop.id, in: zone, by: number) }
    }
    return await withCheckedContinuation { live.ask(about: drop, in: zone, for: $0) }
  }
}
