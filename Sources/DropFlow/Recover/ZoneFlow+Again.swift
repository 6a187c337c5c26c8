package import DropEngine
import DropSystem

/// What an operator asks for after the receipt: try again, take anyway, put back.
extension ZoneFlow {
  /// Takes a reject into the hold again, under its id; `force` takes it without asking rules or handler.
  package func retry(_ record: ReceiptRecord, force: Bool) async throws(AgainError) {
    guard record.outcome == .rejected || record.outcome == .failed, let place = record.place else {
      throw AgainError("it is not among the rejects: \(record.outcome.rawValue)")
    }
    let payload: InHand
    do {
      let directory = OpenFile(try FileDescriptor.open(place.parent, [.pathOnly, .directory]))
      let sight = try Sight.look(at: place.lastComponent, in: directory.number)
      guard sight.kind == .regular, sight.size == record.bytes, sight.modified == record.modified else {
        throw AgainError("the file in the rejects is not the one that was refused")
      }
      let hold = try holds.hold(
        for: directory, at: RawPath("rejects of \(settings.rejects)"),
        candidates: [
          settings.rejects + ".hold", settings.rejects + "/.dropzone-hold",
        ])
      var drop = Drop(
        id: record.id, zone: name, location: record.location, state: .claiming, operation: .move,
        zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold.path,
        entry: Drop.entry(for: record.id, name: record.location.lastComponent), inode: sight.identity.inode,
        birth: sight.identity.birth, size: sight.size, modified: sight.modified, firstSeen: record.firstSeen,
        released: wallNow(), evidence: record.evidence ?? .quietOnly)
      drop.source = place
      drop.isForced = force
      drop.links = sight.links
      let row = drop
      guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(row) }) else {
        throw AgainError("the ledger cannot be written")
      }
      do throws(Errno) {
        try Directory.rename(
          place.lastComponent, in: directory.number, to: RawPath(drop.entry), in: hold.directory.number)
      } catch {
        _ = await commit { (ledger) throws(SQLiteError) in try ledger.remove(row.id) }
        throw error
      }
      // In the hold it is in hand; what it is now is looked at when it is judged.
      payload = InHand(drop: drop)
    } catch let error as HoldError {
      throw AgainError(error.message)
    } catch {
      throw error as? AgainError ?? AgainError("the reject '\(place)' cannot be taken: \(error)")
    }
    inHand += 1
    tellHand()
    start { await $0.judge([payload]) }
  }

  /// Puts a delivered payload back under its own name, where it is left alone until it changes.
  package func undo(_ record: ReceiptRecord) async throws(AgainError) {
    guard record.outcome == .delivered, let place = record.place else {
      throw AgainError("it was not delivered: \(record.outcome.rawValue)")
    }
    if record.replaced { throw AgainError("it replaced another file, which cannot be brought back") }
    do {
      let directory = try FileDescriptor.open(place.parent, [.pathOnly, .directory])
      let sight = try Sight.look(at: place.lastComponent, in: directory.number)
      guard sight.kind == .regular, sight.identity.matches(inode: record.inode, birth: record.birth),
        sight.size == record.bytes, sight.modified == record.modified
      else { throw AgainError("the file in the box is not as it was delivered") }
      if record.operation == .copy {
        try undoCopy(record, place, directory)
      } else {
        try await undoMove(record, place, sight)
        return
      }
    } catch {
      throw error as? AgainError ?? AgainError("'\(place)' cannot be put back: \(error)")
    }
    var undone = record
    undone.outcome = .undone
    undone.place = nil
    undone.finished = wallNow()
    let receipt = undone
    guard await commit({ (ledger) throws(SQLiteError) in try ledger.add(receipt) }) else { return }
    observer.finished([undone], in: name)
  }

  /// The original is where it was; only the copy goes.
  private func undoCopy(_ record: ReceiptRecord, _ place: RawPath, _ directory: borrowing FileDescriptor) throws(Errno)
  {
    let root = try Directory.open(record.zonePath)
    let parent = try FileDescriptor.open(beneath: root.number, record.location.parent, [.pathOnly, .directory])
    _ = try Sight.look(at: record.location.lastComponent, in: parent.number)
    try Directory.unlink(place.lastComponent, in: directory.number)
    try? Directory.sync(directory.number)
  }

  private func undoMove(_ record: ReceiptRecord, _ place: RawPath, _ sight: Sight) async throws(Errno) {
    guard let holdPath = place.parent.string, let entry = place.lastComponent.string else { throw .invalid }
    var drop = Drop(
      id: record.id, zone: name, location: record.location, state: .returning, operation: .move,
      zonePath: record.zonePath, boxPath: record.boxPath, rejectsPath: record.rejectsPath, holdPath: holdPath,
      entry: entry, inode: sight.identity.inode, birth: sight.identity.birth, size: sight.size,
      modified: sight.modified, firstSeen: record.firstSeen, released: record.released ?? record.firstSeen,
      evidence: record.evidence ?? .quietOnly)
    drop.source = place
    drop.changed = sight.changed
    drop.type = record.type
    drop.claimedType = record.claimedType
    drop.grade = record.grade
    drop.sha256 = record.sha256
    drop.attempts = record.attempts
    let row = drop
    guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(row) }) else { throw .io }
    do throws(Errno) {
      try await finishUndo(drop)
    } catch {
      _ = await commit { (ledger) throws(SQLiteError) in try ledger.remove(row.id) }
      throw error
    }
  }
}

extension ZoneFlow {
  /// From `returning` to the receipt; recovery goes on here after a crash.
  func finishUndo(_ row: Drop) async throws(Errno) {
    var drop = row
    let root = try Directory.open(drop.zonePath)
    let parent = OpenFile(try Self.openOrMake(drop.location.parent, in: root))
    let name = drop.location.lastComponent
    let source = OpenFile(try Directory.open(drop.holdPath))
    // Known before the name appears: whoever looks at it then must not take it.
    var note = TakenNote(
      zone: drop.zone, location: drop.location, inode: drop.inode, birth: drop.birth, size: drop.size,
      modified: drop.modified, changed: 0, sha256: drop.sha256, id: drop.id)
    if let sight = try? Sight.look(at: name, in: parent.number), drop.isBack(sight.identity) {
      // A crash came between the rename and its receipt; the box may have it still.
      note.describe(sight)
      try Directory.sync(parent.number)
      if let left = try? Sight.look(at: RawPath(drop.entry), in: source.number),
        left.identity.matches(inode: drop.inode, birth: drop.birth)
      {
        try Directory.unlink(RawPath(drop.entry), in: source.number)
      }
    } else {
      do throws(Errno) {
        await observer.noted([note], in: drop.zone)
        try Directory.rename(RawPath(drop.entry), in: source.number, to: name, in: parent.number)
      } catch  where error == .crossDevice {
        try await copyBack(&drop, &note, from: source, to: parent)
      }
    }
    if settings.delivery.durable {
      try? Directory.sync(source.number)
      try? Directory.sync(parent.number)
    }
    note.describe(try Sight.look(at: name, in: parent.number))
    var record = ReceiptRecord(drop, outcome: .undone, code: nil, message: nil, place: nil, finished: wallNow())
    record.inode = drop.inode
    let (final, receipt, id) = (note, record, drop.id)
    guard
      await commit({ (ledger) throws(SQLiteError) in
        try ledger.put(final)
        try ledger.add(receipt)
        try ledger.remove(id)
      })
    else { throw .io }
    await observer.noted([note], in: drop.zone)
    observer.finished([record], in: drop.zone)
  }

  /// The box lies on another file system: a copy under a hidden name, committed, named, and the box's file removed.
  private func copyBack(
    _ drop: inout Drop, _ note: inout TakenNote, from source: OpenFile, to parent: OpenFile
  ) async throws(Errno) {
    let temporary = RawPath(".dropzone-\(drop.id)")
    try? Directory.unlink(temporary, in: parent.number)
    let file = OpenFile(try FileDescriptor.open(RawPath(drop.entry), in: source.number, [.readOnly, .noFollow]))
    let target = OpenFile(
      try FileDescriptor.open(temporary, in: parent.number, [.create, .exclusive, .readWrite], mode: 0o600))
    _ = try await Self.bytes(of: file, into: target, settings.delivery, cancellation)
    _ = FileMetadata.copy(from: file.descriptor, to: target.descriptor, .asItIs, of: parent.descriptor)
    try target.descriptor.sync()
    let sight = try Sight.look(at: target.number)
    drop.copyInode = sight.identity.inode
    let row = drop
    guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(row) }) else { throw .io }
    note.describe(sight)
    await observer.noted([note], in: drop.zone)
    try Directory.rename(temporary, in: parent.number, to: drop.location.lastComponent, in: parent.number)
    try Directory.sync(parent.number)
    try Directory.unlink(RawPath(drop.entry), in: source.number)
  }
}

extension TakenNote {
  /// Takes over what the file is now; the change time is not final before its last rename.
  mutating func describe(_ sight: Sight) {
    inode = sight.identity.inode
    birth = sight.identity.birth
    modified = sight.modified
    changed = sight.changed
  }
}

extension Drop {
  /// Whether a file in the zone is this payload, put back: itself, or its copy from another file system.
  func isBack(_ identity: FileIdentity) -> Bool {
    identity.matches(inode: inode, birth: birth) || identity.inode == copyInode
  }
}

/// Why a payload was not tried again or put back.
package struct AgainError: Error, Sendable {
  package let message: String

  init(_ message: String) {
    self.message = message
  }
}
