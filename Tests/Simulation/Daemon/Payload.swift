import DropEngine

/// A payload in the daemon's memory: its delivery, and what is open for its next steps.
struct Payload {
  var delivery: Delivery
  /// The payload itself, open for reading.
  var file: FileReference?
  /// The copy that is being made of it.
  var copy: FileReference?
  /// What staging saw of it; nil once it is in the hold, and for payloads that did not come from a zone.
  var released: FileStatus?
  /// When its wait is over, in milliseconds.
  var resumesAt: Int64?
  var backoff = Backoff()
  /// What its handler will answer; set while the handler has it.
  var answer: HandlerOutcome?
  /// Whether the daemon finishes its next steps before the first scan.
  var isBeforeScan = false
  /// Whether it waits for its turn to be judged: one after the other, since the daemon may die of it.
  var isSuspect = false

  init(_ delivery: Delivery) {
    self.delivery = delivery
  }

  var drop: Drop { delivery.drop }

  mutating func closeFiles() {
    file = nil
    copy = nil
    released = nil
  }
}
