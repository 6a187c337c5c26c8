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
  /// Open since its writers were asked for; nil if enough files are open already.
  package var file: OpenFile?
  /// The session it is released in.
  package var session: DropID
  /// Decided by the zone and its configuration.
  package var operation: DeliveryRules.Operation
  /// Where below the box the configuration wants it.
  package var destination: RawPath?
  /// Why the configuration refuses it, if it does.
  package var refusal: String?
  /// What its content is, if it was read after its last writer had gone.
  package var typed: TypedContent?
}
