package import DropEngine
package import DropSystem

/// Reports what one flow does with the payloads of its zone to the staging area.
///
/// A reload gives a zone a new flow while the old one finishes what it has: each of them has an observer of its own.
package final class ZoneObserver: FlowObserver {
  private let area: StagingArea
  private let name: String

  init(_ area: StagingArea, of name: String) {
    self.area = area
    self.name = name
  }

  package func claimed(_ keys: [PayloadKey]) {
    perform { area, name in area.takeClaimed(keys, in: name) }
  }

  package func notClaimed(_ refusals: [ClaimRefusal]) {
    perform { area, name in area.takeRefused(refusals, in: name) }
  }

  package func handChanged(_ inHand: Int, blocked: String?) {
    let flow = ObjectIdentifier(self)
    perform { area, name in area.takeHand(inHand, blocked: blocked, in: name, flow: flow) }
  }

  package func finished(_ records: [ReceiptRecord]) {
    perform { area, name in area.takeFinished(records, in: name) }
  }

  package func ledgerFailed(_ error: LedgerError) {
    perform { area, _ in area.isFailed?(error) }
  }

  package func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin) async {
    await area.expectReturn(identity, origin, in: name)
  }

  package func noted(_ notes: [CopiedOriginal]) async {
    await area.noted(notes, in: name)
  }

  package func copied(_ notes: [CopiedOriginal]) async {
    await area.copied(notes, in: name)
  }

  package func notComing(_ id: DropID, at location: RawPath) async {
    await area.notComing(id, at: location, in: name)
  }

  package func configure(_ drop: Drop) async -> LiveReply {
    await area.configure(drop, in: name)
  }

  package func settled(_ id: DropID) async {
    await area.settled(id, in: name)
  }

  package func exclude(_ identity: FileIdentity) async {
    await area.exclude(identity)
  }

  /// Calls `body` on the event loop's thread, after everything that was reported before; returns at once.
  private func perform(_ body: @escaping @Sendable (isolated StagingArea, String) -> Void) {
    let (area, name) = (area, name)
    area.loop.perform { area.assumeIsolated { body($0, name) } }
  }
}

extension StagingArea {
  /// Returns the observer for a flow of the named zone.
  package nonisolated func observer(of name: String) -> ZoneObserver { ZoneObserver(self, of: name) }
}

extension StagingArea {
  fileprivate func takeClaimed(_ keys: [PayloadKey], in name: String) {
    let now = monotonicNow()
    for key in keys {
      if let id = zones[name]?.staging.released(key)?.id { zones[name]?.live?.forget(id) }
      zones[name]?.staging.claimed(key, at: now)
      zones[name]?.leaving[key] = nil
    }
    if let zone = zones[name], zone.isBlockLogged, !zone.staging.isWaitingForPlace {
      zone.isBlockLogged = false
      log.notice("no longer blocked", zone: name, id: nil, location: nil)
    }
    if let taken = zones[name]?.taken, !taken.isEmpty {
      // What was written to an original while its copy was made found it in flight.
      let copied = keys.filter { taken[location(of: $0)] != nil }
      inspect(at: copied.map { ($0, []) }, at: now)
    }
    touch(name)
    turn(at: now)
  }

  /// Says in the log what somebody must see to: once a payload, and of a place once until all have theirs.
  private func tell(of refusal: ClaimRefusal, in name: String) {
    guard let zone = zones[name] else { return }
    switch refusal.waiting {
    case .blocked where !zone.isBlockLogged:
      zone.isBlockLogged = true
      log.warning("blocked: \(refusal.detail)", zone: name, id: nil, location: nil)
    case .cannotTake:
      guard let payload = zone.staging.released(refusal.key), payload.waiting != .cannotTake else { return }
      log.warning(refusal.detail, zone: name, id: payload.id, location: location(of: refusal.key))
    default: return
    }
  }

  fileprivate func takeRefused(_ refusals: [ClaimRefusal], in name: String) {
    let now = monotonicNow()
    for refusal in refusals {
      if let id = zones[name]?.staging.released(refusal.key)?.id {
        zones[name]?.sessions.giveBack(id)
        zones[name]?.askedAgain.remove(id)
      }
      if let location = zones[name]?.leaving.removeValue(forKey: refusal.key) {
        // There is no directory to look into: it is withdrawn, unless it turns up elsewhere.
        if let location, let payload = zones[name]?.staging.released(refusal.key) {
          zones[name]?.gone.add(payload, from: location, at: now)
        }
        zones[name]?.staging.claimed(refusal.key, at: now)
        continue
      }
      tell(of: refusal, in: name)
      let next = zones[name]?.staging.putBack(
        refusal.key, refusal.waiting, refusal.detail, endsAtChange: refusal.endsAtChange, at: now)
      if next == .ask { asks.append((name, refusal.key)) }
    }
    touch(name)
    inspect(at: refusals.filter { $0.waiting == nil && tree[$0.key.directory] != nil }.map { ($0.key, []) }, at: now)
    turn(at: now)
  }

  func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin, in name: String) {
    zones[name]?.origins[identity] = (origin, monotonicNow())
    zones[name]?.earlier[identity.inode] = nil
  }

  fileprivate func takeHand(_ inHand: Int, blocked: String?, in name: String, flow: ObjectIdentifier) {
    zones[name]?.hands[flow] =
      inHand == 0 && blocked == nil ? nil : WatchedZone.FlowLoad(count: inHand, blocked: blocked)
    touch(name)
    turn(at: monotonicNow())
  }

  func takeFinished(_ records: [ReceiptRecord], in name: String) {
    for record in records {
      switch record.outcome {
      case .delivered, .taken: zones[name]?.accepted += 1
      case .rejected, .failed: zones[name]?.rejected += 1
      case .withdrawn, .undone: break
      }
      zones[name]?.askedAgain.remove(record.id)
      if let outcome = record.sessionOutcome { zones[name]?.sessions.finish(record.id, outcome) }
    }
    if let last = records.last { zones[name]?.last = last.receipt }
    touch(name)
    for waiter in receiptWaiters.values { waiter.resume(returning: true) }
    receiptWaiters = [:]
    turn(at: monotonicNow())
  }

  func settled(_ id: DropID, in name: String) {
    // The event of its return comes first, or the zone would go dark between the two.
    readEvents(at: monotonicNow())
    zones[name]?.askedAgain.remove(id)
    zones[name]?.sessions.giveBack(id)
    touch(name)
    turn(at: monotonicNow())
  }
}

extension ReceiptRecord {
  /// What it was for the session it was released in; nil for what is done after the end.
  fileprivate var sessionOutcome: SessionState.Outcome? {
    switch outcome {
    case .delivered: operation == .copy ? .copied : .moved
    case .taken: .moved
    case .rejected, .failed: .refused
    case .withdrawn: .withdrawn
    case .undone: nil
    }
  }
}
