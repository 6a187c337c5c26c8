package import DropEngine
import DropSystem

/// What is done with one row of the ledger after a stop, by where its payload is found.
package enum Recovery {
  package enum Step: Sendable {
    /// It is in the hold and goes on from here.
    case resume(InHand)
    /// It was never taken: the scan finds it.
    case forget(AttemptNote?)
    /// It is in its place, or was until its reader took it; only the receipt is missing.
    case finish(Drop, place: RawPath?, replaced: Bool)
    /// The receipt is written; the source goes.
    case close(Drop)
    case putBack(Drop)
    case closeReturned(Drop)
    case undo(Drop)
    case undone(Drop)
    case withdrawn(Drop)
    /// A place that should tell is not there: nothing is known, nothing is done.
    case park(InHand, String)
  }

  /// Decides, and removes the second names that a power cut left: the later place wins.
  ///
  /// What cannot be looked at, or a second name that cannot be removed, decides nothing: the row is parked.
  package static func step(_ row: Drop, isCleanStop: Bool) -> Step {
    var drop = row
    // Counted when the look at it began; a clean stop proves that it was not its fault.
    if isCleanStop, drop.state == .claiming { drop.starts = 0 }
    do throws(Errno) {
      let held = try find(RawPath(drop.entry), in: RawPath(drop.holdPath))
      let isHeld = held.map { $0.identity.matches(inode: drop.inode, birth: drop.birth) } ?? false
      switch drop.state {
      case .claiming: return try claiming(drop, held, isHeld: isHeld)
      case .placing: return try placing(drop, held, isHeld: isHeld)
      case .copied: return try copied(drop, isHeld: isHeld)
      case .placed: return .close(drop)
      case .returning: return try returning(drop, isHeld: isHeld)
      }
    } catch {
      return .park(InHand(drop: row), "where it is cannot be looked at: \(error)")
    }
  }

  private static func claiming(_ drop: Drop, _ held: Sight?, isHeld: Bool) throws(Errno) -> Step {
    if let original = drop.original {
      // A snapshot without a verdict is nothing yet: it goes, the original is staged again.
      if !isHeld || drop.verdict == nil {
        try removeCopy(drop)
        return .forget(
          AttemptNote(
            zone: drop.zone, inode: original.inode, birth: original.birth, location: drop.location, id: drop.id,
            attempts: drop.attempts, starts: drop.starts))
      }
      return .resume(InHand(drop: drop))
    }
    let (sourceDirectory, sourceName) = source(of: drop)
    let zone = try find(sourceName, in: sourceDirectory)
    let inZone = zone.map { $0.identity.matches(inode: drop.inode, birth: drop.birth) } ?? false
    if isHeld {
      if inZone { try unlink(sourceName, in: sourceDirectory) }
      var payload = InHand(drop: drop)
      payload.drop.changed = held?.changed ?? drop.changed
      // What the zone's configuration said at the release; a place that was tried has a root too.
      if drop.destinationRoot == nil, !drop.destinationDirectory.isEmpty {
        payload.wishedDirectory = drop.destinationDirectory
      }
      return .resume(payload)
    }
    if held != nil, drop.source == nil {
      // Another file came along with the rename: it goes back to the name it had.
      return .putBack(drop)
    }
    if inZone {
      return .forget(
        AttemptNote(
          zone: drop.zone, inode: drop.inode, birth: drop.birth, location: drop.location, id: drop.id,
          attempts: drop.attempts, starts: drop.starts))
    }
    // A directory of the zone that is gone was moved or removed by its sender, as a name would be.
    let isThere = try exists(drop.source == nil ? RawPath(drop.zonePath) : sourceDirectory)
    let isHoldThere = try exists(RawPath(drop.holdPath))
    return isThere && isHoldThere
      ? .withdrawn(drop) : .park(InHand(drop: drop), "its zone or hold is not there")
  }

  private static func placing(_ drop: Drop, _ held: Sight?, isHeld: Bool) throws(Errno) -> Step {
    guard let root = drop.destinationRoot, let name = drop.destinationName else {
      return try claiming(drop, held, isHeld: isHeld)
    }
    let directory = RawPath(root).appending(drop.destinationDirectory)
    let placed = try find(name, in: directory)
    let inPlace = placed.map { $0.identity.matches(inode: drop.inode, birth: drop.birth) } ?? false
    let place = directory.appending(name)
    try unlink(RawPath(".dropzone-\(drop.id)"), in: directory)
    if isHeld, !inPlace {
      removeReason(of: drop, beside: name, in: directory)
      if held?.size != drop.size {
        var drop = drop
        drop.state = .claiming
        drop.verdict = .rejected(
          .damagedByPowerCut, message: "it had \(drop.size) bytes when it was taken and has \(held?.size ?? 0) now")
        return .resume(InHand(drop: drop))
      }
      var payload = InHand(drop: drop)
      if drop.isAccepted {
        payload.wishedDirectory = drop.destinationDirectory
        payload.wishedName = name == drop.location.lastComponent ? nil : name
      }
      return .resume(payload)
    }
    if inPlace {
      // With other links the copy is what was delivered, and the held name is the source.
      if isHeld { try unlink(RawPath(drop.entry), in: RawPath(drop.holdPath)) }
      return .finish(drop, place: place, replaced: false)
    }
    let (sourceDirectory, sourceName) = source(of: drop)
    if let zone = try find(sourceName, in: sourceDirectory), zone.identity.matches(inode: drop.inode, birth: drop.birth)
    {
      // A drop of its own from here on: what was written for the old id must not keep the name from it.
      removeReason(of: drop, beside: name, in: directory)
      return .forget(nil)
    }
    guard try exists(RawPath(root)), try exists(RawPath(drop.holdPath)) else {
      return .park(InHand(drop: drop), "its box or hold is not there")
    }
    // The reader of the box has taken it already.
    return .finish(drop, place: nil, replaced: false)
  }

  private static func copied(_ drop: Drop, isHeld: Bool) throws(Errno) -> Step {
    guard let root = drop.destinationRoot, let name = drop.destinationName, let inode = drop.copyInode else {
      return .resume(InHand(drop: drop))
    }
    let directory = RawPath(root).appending(drop.destinationDirectory)
    guard try exists(RawPath(root)) else { return .park(InHand(drop: drop), "its box is not there") }
    let temporary = RawPath(".dropzone-\(drop.id)")
    let place = directory.appending(name)
    let inPlace = try find(name, in: directory)?.identity.inode == inode
    if let copy = try find(temporary, in: directory), copy.identity.inode == inode {
      if inPlace {
        try unlink(temporary, in: directory)
        return .finish(drop, place: place, replaced: false)
      }
      guard isHeld else {
        // The source is gone and the copy is whole and synced: naming it is all that is left.
        return nameCopy(drop, temporary, name, directory)
      }
      // Copied again: as good, and the same path as any other delivery. The temporary goes once the row no longer says
      // `copied`, or a crash in between would take it for one that was named.
      removeReason(of: drop, beside: name, in: directory)
      var again = drop
      again.state = .placing
      again.copyInode = nil
      var payload = InHand(drop: again)
      payload.wishedDirectory = drop.destinationDirectory
      payload.wishedName = name == drop.location.lastComponent ? nil : name
      return .resume(payload)
    }
    return .finish(drop, place: inPlace ? place : nil, replaced: false)
  }

  /// Removes what an earlier attempt left of a copy, once the row says that it is copied again.
  package static func removeTemporary(of drop: Drop) {
    guard let root = drop.destinationRoot else { return }
    try? unlink(RawPath(".dropzone-\(drop.id)"), in: RawPath(root).appending(drop.destinationDirectory))
  }

  private static func nameCopy(_ drop: Drop, _ temporary: RawPath, _ name: RawPath, _ directory: RawPath) -> Step {
    for number in 0..<1000 {
      let name = FreeName.candidate(name, number: number)
      do throws(Errno) {
        let parent = try FileDescriptor.open(directory, [.pathOnly, .directory])
        try Directory.rename(temporary, in: parent.number, to: name, in: parent.number)
        try Directory.sync(parent.number)
        return .finish(drop, place: directory.appending(name), replaced: false)
      } catch  where error == .exists {
        continue
      } catch {
        return .park(InHand(drop: drop), "its copy cannot be named: \(error)")
      }
    }
    return .park(InHand(drop: drop), "no free name for its copy")
  }

  private static func returning(_ drop: Drop, isHeld: Bool) throws(Errno) -> Step {
    let zone = try find(drop.location.lastComponent, in: RawPath(drop.zonePath).appending(drop.location.parent))
    let inZone = zone.map { drop.isBack($0.identity) } ?? false
    let isUndo = drop.source != nil
    // The box's own is removed by the undo, once the zone's name is on the disk.
    if inZone, isHeld, !isUndo { try unlink(RawPath(drop.entry), in: RawPath(drop.holdPath)) }
    if inZone { return isUndo ? .undone(drop) : .closeReturned(drop) }
    if isHeld { return isUndo ? .undo(drop) : .putBack(drop) }
    // Of an undo this is the box, which may only be away.
    if isUndo, try !exists(RawPath(drop.holdPath)) {
      return .park(InHand(drop: drop), "'\(Escaping.escape(drop.holdPath))' is not there")
    }
    if isUndo { try unlink(drop.halfCopy, in: RawPath(drop.zonePath).appending(drop.location.parent)) }
    return try exists(RawPath(drop.zonePath)) ? .withdrawn(drop) : .park(InHand(drop: drop), "its zone is not there")
  }

  /// Where the payload was before the hold: the zone, or the rejects when it is tried again.
  private static func source(of drop: Drop) -> (directory: RawPath, name: RawPath) {
    if let source = drop.source { return (source.parent, source.lastComponent) }
    return (RawPath(drop.zonePath).appending(drop.location.parent), drop.location.lastComponent)
  }

  /// Nil when nothing has the name, or its directory is not there; any other error says nothing about it.
  private static func find(_ name: RawPath, in directory: RawPath) throws(Errno) -> Sight? {
    do throws(Errno) {
      let directory = try FileDescriptor.open(directory, [.pathOnly, .directory])
      return try Sight.look(at: name, in: directory.number)
    } catch  where error == .noEntry || error == .notDirectory {
      return nil
    }
  }

  /// The reason was written and its reject did not follow: it would keep its own name from it.
  private static func removeReason(of drop: Drop, beside name: RawPath, in directory: RawPath) {
    guard let folder = try? FileDescriptor.open(directory, [.pathOnly, .directory]) else { return }
    ReasonFile.remove(of: drop.id, beside: name, in: folder.number)
    try? Directory.unlink(RawPath(".dropzone-\(drop.id).reason"), in: folder.number)
  }

  private static func exists(_ directory: RawPath) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try FileDescriptor.open(directory, [.pathOnly, .directory])
      return true
    } catch  where error == .noEntry || error == .notDirectory {
      return false
    }
  }

  /// Removes what a row is about to be forgotten of: a power cut that brought it back would make a payload of it.
  private static func removeCopy(_ drop: Drop) throws(Errno) {
    try unlink(RawPath(drop.entry), in: RawPath(drop.holdPath))
    do throws(Errno) {
      let hold = try FileDescriptor.open(RawPath(drop.holdPath), [.pathOnly, .directory])
      try Directory.sync(hold.number)
    } catch {
      if error.leavesUnwritten { throw error }
    }
  }

  private static func unlink(_ name: RawPath, in directory: RawPath) throws(Errno) {
    do throws(Errno) {
      let directory = try FileDescriptor.open(directory, [.pathOnly, .directory])
      try Directory.unlink(name, in: directory.number)
    } catch  where error == .noEntry || error == .notDirectory {}
  }
}
