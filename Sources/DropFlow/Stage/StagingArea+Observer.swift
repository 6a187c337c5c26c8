package import DropEngine
package import DropSystem

/// What the flow tells of payloads that have left the staged.
extension StagingArea: FlowObserver {
  package func claimed(_ keys: [PayloadKey], in name: String) {
    for key in keys { zones[name]?.staging.claimed(key) }
    touch(name)
    turn(at: monotonicNow())
  }

  package func notClaimed(_ refusals: [ClaimRefusal], in name: String) {
    let now = monotonicNow()
    for refusal in refusals {
      let next = zones[name]?.staging.putBack(
        refusal.key, refusal.waiting, refusal.detail, endsAtChange: refusal.endsAtChange, at: now)
      if next == .ask { asks.append((name, refusal.key)) }
    }
    touch(name)
    look(at: refusals.filter { $0.waiting == nil }.map { ($0.key, []) }, at: now)
    turn(at: now)
  }

  package func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin, in name: String) {
    zones[name]?.origins[identity] = origin
  }

  package func handChanged(_ inHand: Int, blocked: String?, in name: String, flow: Int) {
    zones[name]?.hands[flow] = inHand == 0 && blocked == nil ? nil : WatchedZone.Hand(count: inHand, blocked: blocked)
    touch(name)
    turn(at: monotonicNow())
  }

  package func finished(_ records: [ReceiptRecord], in name: String) {
    for record in records {
      switch record.outcome {
      case .delivered, .taken: zones[name]?.accepted += 1
      case .rejected, .failed: zones[name]?.rejected += 1
      case .withdrawn, .undone: break
      }
      zones[name]?.askedAgain.remove(record.id)
    }
    if let last = records.last { zones[name]?.last = last.receipt }
    touch(name)
    for waiter in receiptWaiters.values { waiter.resume(returning: true) }
    receiptWaiters = [:]
    turn(at: monotonicNow())
  }

  package func noted(_ notes: [TakenNote], in name: String) {
    for note in notes {
      zones[name]?.taken[note.location] = note
      guard let root = zones[name]?.root, let id = tree.find(note.location.parent, from: root) else { continue }
      _ = zones[name]?.staging.lose(PayloadKey(directory: id, name: note.location.lastComponent))
    }
  }

  package func settled(_ id: DropID, in name: String) {
    // The event of its return comes first, or the zone would go dark between the two.
    readEvents(at: monotonicNow())
    zones[name]?.askedAgain.remove(id)
    touch(name)
    turn(at: monotonicNow())
  }

  package func ledgerFailed(_ error: LedgerError) {
    isFailed?(error)
  }
}
