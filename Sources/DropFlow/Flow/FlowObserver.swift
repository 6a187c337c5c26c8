package import DropEngine
package import DropSystem

/// Receives what becomes of the payloads of one zone, in the order in which it happens.
package protocol FlowObserver: Sendable {
  /// These payloads have left the zone for the hold.
  func claimed(_ keys: [PayloadKey])
  /// These payloads stay in the zone, for the reason given; those without a reason are inspected again.
  func notClaimed(_ refusals: [ClaimRefusal])
  /// A file is about to reappear under its own name in the zone, and `origin` is what is known of it.
  func expectReturn(_ identity: FileIdentity, _ origin: StagedPayload.Origin) async
  /// The number of payloads between claim and place, and why the zone is blocked, if it is.
  func handChanged(_ inHand: Int, blocked: String?)
  /// These receipts are on the disk.
  func finished(_ records: [ReceiptRecord])
  /// Originals that a copy is being taken of, and payloads that undo puts back.
  func noted(_ notes: [CopiedOriginal]) async
  /// Originals of copies that are in their places, or in hand since before; the note of a later drop stays.
  func copied(_ notes: [CopiedOriginal]) async
  /// A noted payload will not appear at `location` after all, or its copy is gone.
  func notComing(_ id: DropID, at location: RawPath) async
  /// What the zone's configuration says of a reject that is tried again.
  func configure(_ drop: Drop) async -> LiveReply
  /// A payload that was asked about again is decided, or back in the zone.
  func settled(_ id: DropID) async
  /// The ledger cannot be used any more; the daemon ends.
  func ledgerFailed(_ error: LedgerError)
  /// Scans must not enter this directory.
  func exclude(_ identity: FileIdentity) async
}

/// Where the flow says what happened.
package protocol FlowLog: Sendable {
  func notice(_ message: String, zone: String, id: DropID?, location: RawPath?)
  func warning(_ message: String, zone: String, id: DropID?, location: RawPath?)
}
