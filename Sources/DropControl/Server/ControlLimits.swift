/// Limits on what clients can make a control server store.
package struct ControlLimits: Hashable, Sendable {
  package var connections = 64
  /// The largest message from a client, in bytes.
  package var message = 1 << 20
  /// The largest number of unread bytes per client.
  package var waiting = 8 << 20
  /// The approximate size of a reply, in bytes. Longer lists of staged payloads are truncated; receipts are split up.
  package var reply = 4 << 20
  /// The approximate size of a change, in bytes.
  package var change = 1 << 20
  /// The largest number of receipts in one reply.
  package var receipts = 1_000

  package init() {}
}
