package import DropEngine
package import DropSystem

/// What the flow tells of payloads that have left the staged.
extension StagingArea: FlowObserver {
  package nonisolated func claimed(_ keys: [PayloadKey], in name: String) {
    tell { $0.takeClaimed(keys, in: name) }
  }

  package nonisolated func notClaimed(_ refusals: [ClaimRefusal], in name: String) {
    tell { $0.takeRefused(refusals, in: name) }
  }

  package nonisolated func handChanged(_ inHand: Int, blocked: String?, in name: String, flow: Int) {
    tell { $0.takeHand(inHand, blocked: blocked, in: name, flow: flow) }
  }

  package nonisolated func finished(_ records: [ReceiptRecord], in name: String) {
    tell { $0.takeFinished(records, in: name) }
  }

  package nonisolated func ledgerFailed(_ error: LedgerError) {
    tell { $0.isFailed?(error) }
  }

  /// In the order of the calls; who tells goes on at once.
  private nonisolated func tell(_ body: @escaping @Sendable (isolated StagingArea) -> Void) {
    loop.perform { self.assumeIsolated { body($0) } }
  }
}

extension StagingArea {
  private func takeClaimed(_ keys: [PayloadKey], in name: String) {
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

  private func takeRefused(_ refusals: [ClaimRefusal], in name: String) {
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

  package func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin, in name: String) {
    zones[name]?.origins[identity] = (origin, monotonicNow())
    zones[name]?.earlier[identity.inode] = nil
  }

  private func takeHand(_ inHand: Int, blocked: String?, in name: String, flow: Int) {
    zones[name]?.hands[flow] =
      inHand == 0 && blocked == nil ? nil : WatchedZone.FlowLoad(count: inHand, blocked: blocked)
    touch(name)
    turn(at: monotonicNow())
  }

  private func takeFinished(_ records: [ReceiptRecord], in name: String) {
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

  package func settled(_ id: DropID, in name: String) {
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
