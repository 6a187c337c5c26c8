package import DropEngine
import DropSystem

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
    guard record.outcome == .rejected || record.outcome == .failed, let place = record.place else {
      throw RetryableError("it is not among the rejects: \(record.outcome.rawValue)")
    }
    guard !isStopping else { throw RetryableError("the daemon is stopping") }
    guard retaken.insert(record.id).inserted else { throw RetryableError("it is being tried again already") }
    defer { retaken.remove(record.id) }
    if try row(of: record) != nil { throw RetryableError("it is being tried again already") }
    let payload: ClaimedPayload
    do {
      payload = ClaimedPayload(
        Delivery(claiming: try retriedRow(record, place, force: force), policy: context.policy))
    } catch let error as HoldError {
      throw RetryableError(error.message)
    } catch {
      throw error as? RetryableError ?? RetryableError("the reject '\(place)' cannot be taken: \(error)")
    }
    let (next, records) = await returns.run(payload, in: .claim)
    if case .refused(let why) = next.delivery.step { throw RetryableError(why) }
    count(record.id)
    start { await $0.dispatch([next], records) }
  }

  private func retriedRow(_ record: ReceiptRecord, _ place: RawPath, force: Bool) throws -> Drop {
    let directory = try Directory(place.parent)
    let status = try directory.status(of: place.lastComponent)
    guard status.kind == .regular, status.size == record.bytes, status.modified == record.modified else {
      throw RetryableError("the file in the rejects is not the one that was refused")
    }
    let hold = try context.holds.hold(for: directory, .rejects)
    var drop = Drop(
      id: record.id, zone: name, location: record.location, state: .claiming, operation: .move,
      zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold.path,
      entry: Drop.entry(for: record.id, name: record.location.lastComponent), inode: status.identity.inode,
      birth: status.identity.birth, size: status.size, modified: status.modified, firstSeen: record.firstSeen,
      released: wallNow(), evidence: record.evidence ?? .quietOnly)
    drop.source = place
    drop.isForced = force
    drop.links = status.links
    drop.holdIdentity = hold.identity.stored
    return drop
  }

  /// Puts a delivery back under its own name, where it is left alone until it changes; of a copy whose original is still
  /// in the zone, only the copy goes.
  package func undo(_ record: ReceiptRecord) async throws(RetryableError) {
    guard !isStopping else { throw RetryableError("the daemon is stopping") }
    guard record.outcome == .delivered, let place = record.place else {
      throw RetryableError("it was not delivered: \(record.outcome.rawValue)")
    }
    if record.replaced { throw RetryableError("it replaced another file, which cannot be brought back") }
    guard retaken.insert(record.id).inserted else { throw RetryableError("it is being put back already") }
    defer { retaken.remove(record.id) }
    if let row = try row(of: record) {
      throw RetryableError(
        row.state == .returning || row.state == .removing
          ? "it is being put back already" : "what it was copied from is not removed yet")
    }
    let delivery: Delivery?
    do {
      delivery = try self.delivery(undoing: record, place)
    } catch {
      throw error as? RetryableError ?? RetryableError("'\(place)' cannot be put back: \(error)")
    }
    guard let delivery else { throw RetryableError("'\(place)' is not there") }
    // A task of the flow's own: a stop waits for it.
    let result: Result<Void, RetryableError> = await withCheckedContinuation { continuation in
      undos[record.id] = continuation
      start { await $0.undo(ClaimedPayload(delivery)) }
    }
    try result.get()
  }

  private func undo(_ payload: ClaimedPayload) async {
    let (next, records) = await returns.run(payload)
    await endUndo(next)
    await dispatch([next], records)
  }

  private func delivery(undoing record: ReceiptRecord, _ place: RawPath) throws -> Delivery? {
    let status = try Directory(place.parent).status(of: place.lastComponent)
    guard status.kind == .regular, status.identity.matches(inode: record.inode, birth: record.birth),
      status.size == record.bytes, status.modified == record.modified
    else { throw RetryableError("the file in the box is not as it was delivered") }
    // A refused copy that was tried again has left the rejects by a move, and its original is where it was.
    let notes = try context.ledger.originals(in: record.zone)
    let isCopy = record.operation == .copy || notes.contains { $0.id == record.id }
    if isCopy {
      let original = try Directory(record.zonePath).status(at: record.location)
      guard original.size == record.bytes, original.modified == record.modified else {
        throw RetryableError("its original has changed since, and the copy is the last that has these bytes")
      }
    } else {
      do {
        _ = try Place.open(
          record.zonePath, wasMountPoint: context.mountPoints.contains(record.zonePath))
      } catch {
        throw RetryableError("its zone is not there: \(error.message)")
      }
    }
    return Delivery(undoing: record, status: status, isCopy: isCopy, policy: context.policy)
  }

  /// Tells who asked for an undo what came of it, once that is known.
  func endUndo(_ payload: ClaimedPayload) async {
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

  private func row(of record: ReceiptRecord) throws(RetryableError) -> Drop? {
    do {
      return try context.ledger.drop(record.id)
    } catch {
      throw RetryableError("\(error)")
    }
  }
}
