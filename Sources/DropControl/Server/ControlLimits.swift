/// How much the clients of a control server may make it keep.
package struct ControlLimits: Hashable, Sendable {
  package var connections = 64
  /// Bytes of one message from a client.
  package var message = 1 << 20
  /// Bytes that wait for one client to read.
  package var waiting = 8 << 20
  /// Bytes of one reply, more or less: longer lists of staged payloads are cut, and receipts come in several replies.
  package var reply = 4 << 20
  /// Bytes of one change, more or less.
  package var change = 1 << 20
  /// Receipts in one reply.
  package var receipts = 1_000

  package init() {}
}
