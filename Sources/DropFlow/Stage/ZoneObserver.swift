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
    perform { area, zone in area.claimed(keys, in: zone) }
  }

  package func notClaimed(_ refusals: [ClaimRefusal]) {
    perform { area, zone in area.notClaimed(refusals, in: zone) }
  }

  package func handChanged(_ inHand: Int, blocked: String?) {
    let flow = ObjectIdentifier(self)
    perform { area, zone in area.handChanged(inHand, blocked: blocked, of: flow, in: zone) }
  }

  package func finished(_ records: [ReceiptRecord]) {
    let name = name
    area.perform { area in area.finished(records, in: area.zones[name]) }
  }

  package func ledgerFailed(_ error: LedgerError) {
    area.notes.failed(error)
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

  /// Calls `body` on the event loop's thread, after everything that was reported before, if the zone is there; returns
  /// at once.
  private func perform(_ body: @escaping @Sendable (isolated StagingArea, WatchedZone) -> Void) {
    let name = name
    area.perform { area in
      if let zone = area.zones[name] { body(area, zone) }
    }
  }
}

extension StagingArea {
  /// Returns the observer for a flow of the named zone.
  package nonisolated func observer(of name: String) -> ZoneObserver { ZoneObserver(self, of: name) }
}
