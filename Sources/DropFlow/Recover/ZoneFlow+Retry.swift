package import DropEngine
import DropSystem

/// What an operator asks for after the receipt of a reject: try again, take anyway.
extension ZoneFlow {
  /// Takes a reject into the hold again, under its id; `force` takes it without asking rules or handler.
  package func retry(_ record: ReceiptRecord, force: Bool) async throws(RetryableError) {
    guard record.outcome == .rejected || record.outcome == .failed, let place = record.place else {
      throw RetryableError("it is not among the rejects: \(record.outcome.rawValue)")
    }
    guard !isStopping else { throw RetryableError("the daemon is stopping") }
    guard retaken.insert(record.id).inserted else { throw RetryableError("it is being tried again already") }
    defer { retaken.remove(record.id) }
    let payload: ClaimedPayload
    do {
      if try ledger.drop(record.id) != nil { throw RetryableError("it is being tried again already") }
      let directory = OpenFile(try FileDescriptor.open(place.parent, [.pathOnly, .directory]))
      let status = try FileStatus.read(at: place.lastComponent, in: directory.number)
      guard status.kind == .regular, status.size == record.bytes, status.modified == record.modified else {
        throw RetryableError("the file in the rejects is not the one that was refused")
      }
      let hold = try holds.hold(
        for: directory, at: RawPath("rejects of \(settings.rejects)"),
        candidates: [
          settings.rejects + ".hold", settings.rejects + "/.dropzone-hold",
        ])
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
      guard await commit([.put(drop)]) else {
        throw RetryableError("the ledger cannot be written")
      }
      do throws(Errno) {
        try Directory.renameToOwn(
          place.lastComponent, in: directory.number, to: RawPath(drop.entry), in: hold.directory.number)
      } catch {
        await forget([drop.id])
        throw error
      }
      // In the hold it is in hand; what it is now is looked at when it is judged.
      payload = ClaimedPayload(drop: drop)
    } catch let error as HoldError {
      throw RetryableError(error.message)
    } catch {
      throw error as? RetryableError ?? RetryableError("the reject '\(place)' cannot be taken: \(error)")
    }
    inHand += 1
    publishClaimedCount()
    start { await $0.judge([payload]) }
  }
}

/// Why a payload was not tried again or put back.
package struct RetryableError: Error, Sendable {
  package let message: String

  init(_ message: String) {
    self.message = message
  }
}
