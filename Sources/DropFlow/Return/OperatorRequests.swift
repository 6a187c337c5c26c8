import DropEngine
import DropSystem

/// What an operator asks for after the receipt, checked against the files that are there: a reject that is tried again,
/// or a delivery that is undone. A request becomes a delivery, or fails and changes nothing.
struct OperatorRequests {
  let context: FlowContext

  /// A reject on its way into the hold again, under its id; `force` takes it without asking rules or handler.
  func retry(_ record: ReceiptRecord, force: Bool) throws(RetryableError) -> ClaimedPayload {
    guard record.outcome == .rejected || record.outcome == .failed, let place = record.place else {
      throw RetryableError("it is not among the rejects: \(record.outcome.rawValue)")
    }
    if try row(of: record) != nil { throw RetryableError("it is being tried again already") }
    do {
      return ClaimedPayload(
        Delivery(claiming: try retriedRow(record, place, force: force), policy: context.policy), time: context.time)
    } catch let error as HoldError {
      throw RetryableError(error.message)
    } catch {
      throw error as? RetryableError ?? RetryableError("the reject '\(place)' cannot be taken: \(error)")
    }
  }

  private func retriedRow(_ record: ReceiptRecord, _ place: RawPath, force: Bool) throws -> Drop {
    let directory = try Directory(place.parent)
    let status = try directory.status(of: place.lastComponent)
    guard status.kind == .regular, status.size == record.bytes, status.modified == record.modified else {
      throw RetryableError("the file in the rejects is not the one that was refused")
    }
    let hold = try context.holds.hold(for: directory, .rejects)
    let settings = context.settings
    var drop = Drop(
      id: record.id, zone: context.name, location: record.location, state: .claiming, operation: .move,
      zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold.path,
      entry: Drop.entry(for: record.id, name: record.location.lastComponent), inode: status.identity.inode,
      birth: status.identity.birth, size: status.size, modified: status.modified, firstSeen: record.firstSeen,
      released: context.time.wallTime, evidence: record.evidence ?? .quietOnly)
    drop.source = place
    drop.isForced = force
    drop.links = status.links
    drop.holdIdentity = hold.identity.stored
    return drop
  }

  /// A delivery on its way back under its own name, where it is left alone until it changes; of a copy whose original is
  /// still in the zone, only the copy goes.
  func undo(_ record: ReceiptRecord) throws(RetryableError) -> ClaimedPayload {
    guard record.outcome == .delivered, let place = record.place else {
      throw RetryableError("it was not delivered: \(record.outcome.rawValue)")
    }
    if record.replaced { throw RetryableError("it replaced another file, which cannot be brought back") }
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
    var payload = ClaimedPayload(delivery, time: context.time)
    if delivery.step == .sync(.origin) { payload.file = try original(of: record) }
    return payload
  }

  private func original(of record: ReceiptRecord) throws(RetryableError) -> OpenFile {
    let opened = try? Directory(record.zonePath).openRegular(at: record.location)
    guard let opened else { throw RetryableError("its original cannot be opened") }
    return opened.file
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

  private func row(of record: ReceiptRecord) throws(RetryableError) -> Drop? {
    do {
      return try context.ledger.drop(record.id)
    } catch {
      throw RetryableError("\(error)")
    }
  }
}
