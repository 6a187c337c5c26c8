package import DropEngine
package import DropSystem

/// A payload from its release to its receipt: its delivery, and what is open for the next steps.
///
/// What is open serves one batch. A payload that queues or waits holds nothing open.
package struct ClaimedPayload: Sendable {
  package var delivery: Delivery
  /// The payload itself, open for reading: in the zone, and after the claim in the hold.
  package var file: OpenFile?
  /// The copy that is being made of it.
  var copy: OpenFile?
  /// The directory of the zone that it was released in.
  var parent: Directory?
  var hold: Directory?
  /// The directory that it is about to be placed in.
  var folder: OpenDestinations.Folder?
  /// The payload as it was when it was opened or inspected last.
  var status: FileStatus?
  /// Where staging knows it from, until it is claimed.
  var key: PayloadKey?
  /// The name of the file that announced it, beside it, until it is claimed.
  var marker: RawPath?
  /// The session it was released in; nil if it was found after a restart.
  package var session: DropID?
  /// What its content is, if that is known already.
  package var typed: TypedContent?
  /// How long it has waited so far.
  var backoff = Backoff()
  private let time: TimeSource

  package init(_ delivery: Delivery, time: TimeSource) {
    self.delivery = delivery
    self.time = time
  }

  package var drop: Drop { delivery.drop }
  package var id: DropID { delivery.drop.id }

  /// Reports what came of the next step to the delivery.
  mutating func receive(_ event: Delivery.Event) {
    delivery.receive(event, at: time.wallTime)
  }

  /// Closes what only a batch under way needs.
  mutating func closeFiles() {
    file = nil
    copy = nil
    parent = nil
    hold = nil
    folder = nil
    status = nil
  }
}
