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
    }
    if let taken = zones[name]?.taken, !taken.isEmpty {
      // What was written to an original while its copy was made found it in flight.
      let copied = keys.filter { taken[tree.location(of: $0.directory).appending($0.name)] != nil }
      look(at: copied.map { ($0, []) }, at: now)
    }
    touch(name)
    turn(at: now)
  }

  private func takeRefused(_ refusals: [ClaimRefusal], in name: String) {
    let now = monotonicNow()
    for refusal in refusals {
      if let id = zones[name]?.staging.released(refusal.key)?.id {
        zones[name]?.sessions.giveBack(id)
        zones[name]?.askedAgain.remove(id)
      }
      let next = zones[name]?.staging.putBack(
        refusal.key, refusal.waiting, refusal.detail, endsAtChange: refusal.endsAtChange, at: now)
      if next == .ask { asks.append((name, refusal.key)) }
    }
    touch(name)
    look(at: refusals.filter { $0.waiting == nil }.map { ($0.key, []) }, at: now)
    turn(at: now)
  }

  package func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin, in name: String) {
    zones[name]?.origins[identity] = (origin, monotonicNow())
    zones[name]?.earlier[identity.inode] = nil
  }

  private func takeHand(_ inHand: Int, blocked: String?, in name: String, flow: Int) {
    zones[name]?.hands[flow] = inHand == 0 && blocked == nil ? nil : WatchedZone.Hand(count: inHand, blocked: blocked)
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
