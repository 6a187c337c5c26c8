package import DropEngine

/// Why a payload was not tried again or put back.
package struct RetryableError: Error, Sendable {
  package let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// What an operator asks for after the receipt: a reject is tried again, or taken anyway; a delivery is undone.
extension ZoneFlow {
  /// Takes a reject into the hold again, under its id; `force` takes it without asking rules or handler.
  package func retry(_ record: ReceiptRecord, force: Bool) async throws(RetryableError) {
    guard !isStopping else { throw RetryableError("the daemon is stopping") }
    guard retaken.insert(record.id).inserted else { throw RetryableError("it is being tried again already") }
    defer { retaken.remove(record.id) }
    let payload = try OperatorRequests(context: context).retry(record, force: force)
    let (next, records) = await returns.run(payload, in: .claim)
    if case .refused(let why) = next.delivery.step { throw RetryableError(why) }
    reporter.add(record.id)
    reporter.publish()
    start { await $0.dispatch([next], records) }
  }

  /// Puts a delivery back under its own name, where it is left alone until it changes; of a copy whose original is still
  /// in the zone, only the copy goes.
  package func undo(_ record: ReceiptRecord) async throws(RetryableError) {
    guard !isStopping else { throw RetryableError("the daemon is stopping") }
    guard retaken.insert(record.id).inserted else { throw RetryableError("it is being put back already") }
    defer { retaken.remove(record.id) }
    let payload = try OperatorRequests(context: context).undo(record)
    // A task of the flow's own: a stop waits for it.
    let result: Result<Void, RetryableError> = await withCheckedContinuation { continuation in
      undos[record.id] = continuation
      start { await $0.giveBack(payload) }
    }
    try result.get()
  }

  /// Tells who asked for an undo what came of it, once that is known.
  func endUndo(_ payload: ClaimedPayload) {
    guard let asker = undos.removeValue(forKey: payload.id) else { return }
    switch payload.delivery.step {
    case .finished: asker.resume(returning: .success(()))
    case .refused(let why):
      let place = payload.drop.source.map { "'\($0)'" } ?? "it"
      asker.resume(returning: .failure(RetryableError("\(place) cannot be put back: \(why)")))
    case .wait(let wait): asker.resume(returning: .failure(RetryableError("\(wait.message); this is tried again")))
    default: asker.resume(returning: .failure(RetryableError("the daemon is stopping")))
    }
  }
}
