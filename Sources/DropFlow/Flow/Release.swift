package import DropEngine
package import DropSystem

/// A payload that staging found complete, on its way to the claim.
package struct Release: Sendable {
  package var key: PayloadKey
  package var payload: StagedPayload
  package var location: RawPath
  /// The name of the file that announced it, beside it.
  package var marker: RawPath?
  /// The mount it lies on, and that mount's place below the zone; empty for the zone's own.
  package var mountLocation: RawPath
  /// Bytes of other payloads that are being written to this zone.
  package var unsyncedBytes: Int64
  /// Open since its writers were asked for; nil where enough are.
  package var file: OpenFile?
  /// The session it is released in.
  package var session: DropID
  /// Bound by the zone and its configuration.
  package var operation: DeliveryRules.Operation
  /// Where below the box the configuration wants it.
  package var destination: RawPath?
  /// Why the configuration refuses it, where it does.
  package var refusal: String?
  /// What its content is, where it was read after its last writer had gone.
  package var typed: TypedContent?
}

/// A claimed payload while it is worked on.
package struct ClaimedPayload: Sendable {
  package var drop: Drop
  /// Open while a batch is under way; payloads that queue hold nothing open.
  package var file: OpenFile?
  package var back = Duration.zero
  /// Where below the box the handler wants it, and under which name.
  package var wishedDirectory: RawPath?
  package var wishedName: RawPath?
  /// Whether the rejects take no name of it but its id.
  var takesID = false
  /// Files in the box that have been compared, as they were: their bytes are others.
  var others: Set<FileStatus> = []
  /// The session it was released in; nil when it was found after a restart.
  package var session: DropID?
  /// What its content is, where that is known already.
  package var typed: TypedContent?
  /// Whether its row says what the look right after the claim found.
  var isJustClaimed = false
  /// Whether its row is of an earlier process: a size that differs from it is what a power cut left.
  var isRecovered = false

  package init(drop: Drop, file: OpenFile? = nil) {
    self.drop = drop
    self.file = file
  }
}

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

package struct ClaimRefusal: Sendable {
  package var key: PayloadKey
  package var waiting: Waiting?
  package var detail: String
  package var endsAtChange = false

  package init(_ key: PayloadKey, _ waiting: Waiting?, _ detail: String, endsAtChange: Bool = false) {
    self.key = key
    self.waiting = waiting
    self.detail = detail
    self.endsAtChange = endsAtChange
  }
}
