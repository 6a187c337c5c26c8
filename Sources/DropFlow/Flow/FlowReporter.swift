import DropEngine

/// Counts the payloads between claim and receipt, and tells the zone's observer and the log what becomes of them.
final class FlowReporter {
  private let context: FlowContext
  private let waitingRoom: WaitingRoom
  private let handlers: HandlerStage
  private var claimed: Set<DropID> = []

  init(_ context: FlowContext, _ waitingRoom: WaitingRoom, _ handlers: HandlerStage) {
    self.context = context
    self.waitingRoom = waitingRoom
    self.handlers = handlers
  }

  var count: Int { claimed.count }

  /// Counts a payload; `publish` tells of it.
  func add(_ id: DropID) { claimed.insert(id) }

  /// A payload that gets no receipt is no longer the flow's.
  func remove(_ id: DropID) {
    if claimed.remove(id) != nil { publish() }
  }

  /// Tells of receipts that are on the disk.
  func report(_ records: [ReceiptRecord]) {
    if records.isEmpty { return }
    for record in records { claimed.remove(record.id) }
    context.observer.finished(records)
    publish()
    for record in records {
      let what = record.place.map { "\(record.outcome.rawValue) as '\($0)'" } ?? record.outcome.rawValue
      let why = record.code.map { ": \($0.rawValue), \(record.message ?? "")" } ?? ""
      context.log.notice(what + why, zone: context.name, id: record.id, location: record.location)
    }
  }

  /// Tells how many payloads are between claim and receipt, and what blocks the zone.
  func publish() {
    context.observer.handChanged(claimed.count, blocked: waitingRoom.blockedReason ?? handlers.overdueTrouble)
  }
}
