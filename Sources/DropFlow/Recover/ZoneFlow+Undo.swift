package import DropEngine
import DropSystem

/// A delivery goes back under its own name, where it is left alone until it changes.
///
/// Until it has that name nothing has happened: what fails is told, and the delivery stands. From then on it is back
/// whatever fails, and its row stays until the receipt says so.
extension ZoneFlow {
  package func undo(_ record: ReceiptRecord) async throws(RetryableError) {
    guard !isStopping else { throw RetryableError("the daemon is stopping") }
    // A task of the flow's own: a stop waits for it.
    let result: Result<Void, RetryableError> = await withCheckedContinuation { continuation in
      start { flow in
        do throws(RetryableError) {
          try await flow.undoNow(record)
          continuation.resume(returning: .success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try result.get()
  }

  private func undoNow(_ record: ReceiptRecord) async throws(RetryableError) {
    guard record.outcome == .delivered, let place = record.place else {
      throw RetryableError("it was not delivered: \(record.outcome.rawValue)")
    }
    if record.replaced { throw RetryableError("it replaced another file, which cannot be brought back") }
    guard retaken.insert(record.id).inserted else { throw RetryableError("it is being put back already") }
    defer { retaken.remove(record.id) }
    do {
      if let row = try ledger.drop(record.id) {
        throw RetryableError(
          row.state == .returning ? "it is being put back already" : "what it was copied from is not removed yet")
      }
      let directory = try FileDescriptor.open(place.parent, [.pathOnly, .directory])
      let status = try FileStatus.read(at: place.lastComponent, in: directory.number)
      guard status.kind == .regular, status.identity.matches(inode: record.inode, birth: record.birth),
        status.size == record.bytes, status.modified == record.modified
      else { throw RetryableError("the file in the box is not as it was delivered") }
      // A refused copy that was tried again has left the rejects by a move, and its original is where it was.
      let originals = try ledger.originals(in: record.zone)
      if record.operation == .copy || originals.contains(where: { $0.id == record.id }) {
        try await undoCopy(record, place, directory)
      } else {
        try await undoMove(record, place, status)
      }
    } catch {
      throw error as? RetryableError ?? RetryableError("'\(place)' cannot be put back: \(error)")
    }
  }

  /// The original is where it was; only the copy goes.
  private func undoCopy(
    _ record: ReceiptRecord, _ place: RawPath, _ directory: borrowing FileDescriptor
  ) async throws {
    let root = try Directory.open(record.zonePath)
    let parent = try FileDescriptor.open(beneath: root.number, record.location.parent, [.pathOnly, .directory])
    let original = try FileStatus.read(at: record.location.lastComponent, in: parent.number)
    guard original.size == record.bytes, original.modified == record.modified else {
      throw RetryableError("its original has changed since, and the copy is the last that has these bytes")
    }
    try Directory.unlink(place.lastComponent, in: directory.number)
    try? Directory.sync(directory.number)
    var undone = record
    undone.outcome = .undone
    undone.place = nil
    undone.finished = wallNow()
    guard await commit([.addReceipt(undone)]) else {
      throw RetryableError("its copy is removed, and the ledger cannot be written")
    }
    observer.finished([undone])
  }

  private func undoMove(_ record: ReceiptRecord, _ place: RawPath, _ status: FileStatus) async throws {
    do throws(PlaceError) {
      _ = try Place.open(record.zonePath, wasMountPoint: mountPoints.contains(record.zonePath))
    } catch {
      throw RetryableError("its zone is not there: \(error.message)")
    }
    // Where it is and what it is called there says `source`, whatever bytes that has.
    var drop = Drop(
      id: record.id, zone: name, location: record.location, state: .returning, operation: .move,
      zonePath: record.zonePath, boxPath: record.boxPath, rejectsPath: record.rejectsPath,
      holdPath: place.parent.description, entry: place.lastComponent.description, inode: status.identity.inode,
      birth: status.identity.birth, size: status.size, modified: status.modified, firstSeen: record.firstSeen,
      released: record.released ?? record.firstSeen, evidence: record.evidence ?? .quietOnly)
    drop.source = place
    drop.changed = status.changed
    drop.type = record.type
    drop.claimedType = record.claimedType
    drop.grade = record.grade
    drop.sha256 = record.sha256
    drop.attempts = record.attempts
    guard await commit([.put(drop)]) else {
      throw RetryableError("the ledger cannot be written")
    }
    do throws(Errno) {
      try await takeBack(&drop)
    } catch {
      await letStand(drop)
      throw error
    }
    do throws(RetryableError) {
      try await finishUndo(drop)
    } catch {
      await finishLater(drop, error)
      throw RetryableError("it is back in the zone, and what is left to do is tried again: \(error.message)")
    }
  }

  /// Goes on after a stop, or later each time; `isBack`: it has its own name.
  func recoverUndo(_ row: Drop, isBack: Bool, back: Duration) async {
    var drop = row
    if !isBack {
      do throws(Errno) {
        try await takeBack(&drop)
      } catch {
        log.warning("cannot be put back, stays delivered: \(error)", zone: name, id: drop.id, location: drop.location)
        await letStand(drop)
        return
      }
    }
    do throws(RetryableError) {
      try await finishUndo(drop)
    } catch {
      await finishLater(drop, error, back: back)
    }
  }
}

// MARK: - Before it has its name

extension ZoneFlow {
  /// Renames it out of the box, or copies it where that lies on another file system.
  private func takeBack(_ drop: inout Drop) async throws(Errno) {
    let root = try Directory.open(drop.zonePath)
    let parent = OpenFile(try Self.openOrMake(drop.location.parent, in: root))
    let name = drop.location.lastComponent
    // What is noted of the file that has the name is not to be forgotten for this one.
    if (try? FileStatus.read(at: name, in: parent.number)) != nil { throw .exists }
    let source = try drop.hold.open()
    // Known before the name appears: whoever looks at it then must not take it.
    await observer.noted([CopiedOriginal(undoing: drop)])
    do throws(Errno) {
      try Directory.renameReplacingNothing(drop.heldName, in: source.number, to: name, in: parent.number)
    } catch  where error == .crossDevice || error == .notSupported {
      try await copyBack(&drop, from: source, to: parent)
    }
  }

  /// A copy under a hidden name, committed, and named.
  private func copyBack(_ drop: inout Drop, from source: OpenFile, to parent: OpenFile) async throws(Errno) {
    let temporary = drop.halfCopy
    try? Directory.unlink(temporary, in: parent.number)
    let file = OpenFile(try FileDescriptor.open(drop.heldName, in: source.number, [.readOnly, .noFollow]))
    let target = OpenFile(
      try FileDescriptor.open(temporary, in: parent.number, [.create, .exclusive, .readWrite], mode: 0o600))
    let (rules, cancellation) = (settings.delivery, cancellation)
    _ = try await offActor {
      Result { () throws(Errno) in try Self.bytes(of: file, into: target, rules, cancellation) }
    }.get()
    _ = FileMetadata.copy(from: file.descriptor, to: target.descriptor, .asItIs, of: parent.descriptor)
    try target.descriptor.sync()
    let status = try FileStatus.read(at: target.number)
    drop.copyInode = status.identity.inode
    guard await commit([.put(drop)]) else { throw .io }
    var note = CopiedOriginal(undoing: drop)
    note.describe(status)
    // Its rename changes it once more.
    note.changed = 0
    await observer.noted([note])
    try Directory.renameReplacingNothing(
      temporary, in: parent.number, to: drop.location.lastComponent, in: parent.number)
  }

  /// The delivery stands: the zone has nothing of it, and nothing waits for it there.
  private func letStand(_ drop: Drop) async {
    await observer.notComing(drop.id, at: drop.location)
    removeHalfCopy(of: drop)
    await forget([drop.id])
  }

  private func removeHalfCopy(of drop: Drop, back: Duration = .seconds(1)) {
    guard let root = try? Directory.open(drop.zonePath),
      let parent = try? FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory])
    else { return }
    do throws(Errno) {
      try Directory.unlink(drop.halfCopy, in: parent.number)
    } catch  where error == .noEntry {
    } catch {
      log.warning(
        "half a copy of it stays in the zone, tried again in \(back.formatted): \(error)", zone: name, id: drop.id,
        location: drop.location)
      start { flow in
        guard await flow.pause(back) else { return }
        flow.removeHalfCopy(of: drop, back: min(back * 2, .seconds(60)))
      }
    }
  }
}

// MARK: - After that

extension ZoneFlow {
  /// From its own name to the receipt: on the disk there, gone from the box, noted.
  private func finishUndo(_ drop: Drop) async throws(RetryableError) {
    var note = CopiedOriginal(undoing: drop)
    do throws(Errno) {
      note.describe(try leaveBox(drop))
    } catch {
      throw RetryableError("\(error)")
    }
    var record = ReceiptRecord(drop, outcome: .undone, code: nil, message: nil, place: nil, finished: wallNow())
    record.inode = drop.inode
    guard await commit([.putOriginal(note), .addReceipt(record), .remove(drop.id)]) else {
      throw RetryableError("the ledger cannot be written")
    }
    await observer.noted([note])
    observer.finished([record])
  }

  /// Removes what the box has of it still, once its own name is on the disk; returns what has that name.
  private func leaveBox(_ drop: Drop) throws(Errno) -> FileStatus {
    let root = try Directory.open(drop.zonePath)
    let parent = try FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory])
    let status = try FileStatus.read(at: drop.location.lastComponent, in: parent.number)
    guard drop.isBack(status.identity) else { throw .stale }
    // A copy is the only one that is left, whatever is said of durability.
    if settings.delivery.durable || drop.copyInode != nil { try Directory.syncWherePossible(parent.number) }
    try remove(drop.heldName, at: drop.hold.root, of: drop)
    return status
  }

  /// It is back: until that is written nobody takes it, also not after a reload or a stop.
  private func finishLater(_ drop: Drop, _ trouble: RetryableError, back: Duration = .zero) async {
    let note = CopiedOriginal(undoing: drop)
    _ = await commit([.putOriginal(note)])
    await observer.noted([note])
    var payload = ClaimedPayload(drop: drop)
    payload.back = back
    park(payload, "it is back in the zone, and not all is done: \(trouble.message)")
  }
}

extension CopiedOriginal {
  /// Of a delivery that is about to reappear in its zone, or has; itself, or its copy from another file system.
  fileprivate init(undoing drop: Drop) {
    self.init(returning: drop)
    guard let copy = drop.copyInode else { return }
    inode = copy
    birth = 0
  }

  /// Takes over what the file is now; the change time is not final before its last rename.
  fileprivate mutating func describe(_ status: FileStatus) {
    inode = status.identity.inode
    birth = status.identity.birth
    modified = status.modified
    changed = status.changed
  }
}

extension Drop {
  /// Whether a file in the zone is this payload, put back: itself, or its copy from another file system.
  func isBack(_ identity: FileIdentity) -> Bool {
    identity.matches(inode: inode, birth: birth) || identity.inode == copyInode
  }

  /// What its copy is called in the zone until it is whole.
  var halfCopy: RawPath { RawPath(".dropzone-\(id)") }
}
