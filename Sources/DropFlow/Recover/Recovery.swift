package import DropEngine
import DropSystem

/// What is done with one row of the ledger after a stop, by where its payload is found.
///
/// A place that is not there, or was a mount point and is none now, says nothing of what lies in it.
package struct Recovery {
  package enum Step: Sendable {
    /// It is in the hold and goes on from here.
    case resume(ClaimedPayload)
    /// It was never taken: the scan finds it.
    case forget(AttemptCount?)
    /// It is in its place, or was until its reader took it; only the receipt is missing.
    case finish(Drop, place: RawPath?)
    /// The receipt is written; the source goes.
    case close(Drop)
    case putBack(Drop)
    case closeReturned(Drop)
    case undo(Drop)
    case undone(Drop)
    case withdrawn(Drop)
    /// A place that should tell is not there: nothing is known, nothing is done.
    case park(ClaimedPayload, String)
  }

  let wasMountPoint: (String) -> Bool

  /// Decides, and removes the second names that a power cut left: the later place wins.
  ///
  /// What cannot be looked at, or a second name that cannot be removed, decides nothing: the row is parked.
  package static func step(
    _ row: Drop, isCleanStop: Bool, wasMountPoint: @escaping (String) -> Bool = { _ in false }
  ) -> Step {
    Recovery(wasMountPoint: wasMountPoint).step(row, isCleanStop: isCleanStop)
  }

  private func step(_ row: Drop, isCleanStop: Bool) -> Step {
    var drop = row
    // Counted when the look at it began; a clean stop proves that it was not its fault.
    if isCleanStop, drop.state == .claiming { drop.starts = 0 }
    do throws(Errno) {
      let held = try find(drop.heldName, in: drop.hold)
      let isHeld = held.map { $0.identity.matches(inode: drop.inode, birth: drop.birth) } ?? false
      switch drop.state {
      case .claiming: return try claiming(drop, held, isHeld: isHeld)
      case .placing: return try placing(drop, held, isHeld: isHeld)
      case .copied: return try copied(drop, isHeld: isHeld)
      case .placed: return try isHoldAway(drop) ? park(drop, drop.holdPath) : .close(drop)
      case .returning where drop.original != nil: return try snapshot(drop, isHeld: isHeld)
      case .returning: return try returning(drop, isHeld: isHeld)
      case .removing: return park(drop, drop.boxPath)
      }
    } catch {
      return .park(ClaimedPayload(drop: row), "where it is cannot be looked at: \(error)")
    }
  }

  private func claiming(_ drop: Drop, _ held: FileStatus?, isHeld: Bool) throws(Errno) -> Step {
    if drop.original != nil { return try snapshot(drop, isHeld: isHeld) }
    let (sourceDirectory, sourceName) = drop.origin
    let inZone =
      try find(sourceName, in: sourceDirectory)?.identity.matches(inode: drop.inode, birth: drop.birth) ?? false
    if isHeld {
      if inZone { try unlink(sourceName, in: sourceDirectory) }
      var payload = ClaimedPayload(drop: drop)
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
    if inZone { return .forget(AttemptCount(of: drop)) }
    // A directory of the zone that is gone was moved or removed by its sender, as a name would be.
    guard try isThere(drop.originRoot), try isHoldThere(drop) else { return park(drop, "its zone or hold") }
    return .withdrawn(drop)
  }

  /// A copy that is not placed yet. Without a verdict it is nothing: it goes, and the original is staged again.
  private func snapshot(_ drop: Drop, isHeld: Bool) throws(Errno) -> Step {
    if try isHoldAway(drop) { return park(drop, drop.holdPath) }
    // The row has the copy's own inode once that is whole; without its original it is all there is of the payload.
    let isOriginalThere = try isOriginalThere(drop)
    if isHeld, drop.verdict != nil || !isOriginalThere {
      var payload = ClaimedPayload(drop: drop)
      payload.drop.state = .claiming
      return .resume(payload)
    }
    // What a row is about to be forgotten of: a power cut that brought it back would make a payload of it.
    try unlink(RawPath(drop.entry), in: drop.hold)
    try sync(drop.hold)
    return .forget(AttemptCount(of: drop))
  }

  private func isOriginalThere(_ drop: Drop) throws(Errno) -> Bool {
    let (directory, name) = drop.origin
    let note = AttemptCount(of: drop)
    return try find(name, in: directory)?.identity.matches(inode: note.inode, birth: note.birth) ?? false
  }

  private func placing(_ drop: Drop, _ held: FileStatus?, isHeld: Bool) throws(Errno) -> Step {
    guard let root = drop.destinationRoot, let directory = drop.destination, let name = drop.destinationName else {
      return try claiming(drop, held, isHeld: isHeld)
    }
    let placed = try find(name, in: directory)
    let inPlace = placed.map { $0.identity.matches(inode: drop.inode, birth: drop.birth) } ?? false
    try unlink(RawPath(".dropzone-\(drop.id)"), in: directory)
    if isHeld, !inPlace {
      removeReason(of: drop, beside: name, in: directory)
      if held?.size != drop.size {
        var drop = drop
        drop.state = .claiming
        drop.verdict = .rejected(
          .damagedByPowerCut, message: "it had \(drop.size) bytes when it was taken and has \(held?.size ?? 0) now")
        return .resume(ClaimedPayload(drop: drop))
      }
      var payload = ClaimedPayload(drop: drop)
      if drop.isAccepted {
        payload.wishedDirectory = drop.destinationDirectory
        payload.wishedName = name == drop.location.lastComponent ? nil : name
      }
      return .resume(payload)
    }
    if inPlace {
      // With other links the copy is what was delivered, and the held name is the source.
      if isHeld { try unlink(RawPath(drop.entry), in: drop.hold) }
      return .finish(drop, place: drop.place)
    }
    let (sourceDirectory, sourceName) = drop.origin
    if let zone = try find(sourceName, in: sourceDirectory), zone.identity.matches(inode: drop.inode, birth: drop.birth)
    {
      // A drop of its own from here on: what was written for the old id must not keep the name from it.
      removeReason(of: drop, beside: name, in: directory)
      return .forget(nil)
    }
    guard try isThere(root), try isHoldThere(drop), try isThere(drop.originRoot) else {
      return park(drop, "its zone, box or hold")
    }
    // The reader of the box has taken it already.
    return .finish(drop, place: nil)
  }

  private func copied(_ drop: Drop, isHeld: Bool) throws(Errno) -> Step {
    guard let root = drop.destinationRoot, let directory = drop.destination, let name = drop.destinationName,
      let inode = drop.copyInode
    else { return .resume(ClaimedPayload(drop: drop)) }
    guard try isThere(root) else { return park(drop, root) }
    if try isHoldAway(drop) { return park(drop, drop.holdPath) }
    let temporary = RawPath(".dropzone-\(drop.id)")
    let inPlace = try find(name, in: directory)?.identity.inode == inode
    if let copy = try find(temporary, in: directory), copy.identity.inode == inode {
      if inPlace {
        try unlink(temporary, in: directory)
        return .finish(drop, place: drop.place)
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
      var payload = ClaimedPayload(drop: again)
      payload.wishedDirectory = drop.destinationDirectory
      payload.wishedName = name == drop.location.lastComponent ? nil : name
      return .resume(payload)
    }
    return .finish(drop, place: inPlace ? drop.place : nil)
  }

  /// Removes what an earlier attempt left of a copy, once the row says that it is copied again.
  static func removeTemporary(of drop: Drop) {
    guard let directory = drop.destination, let folder = try? directory.open() else { return }
    try? Directory.unlink(RawPath(".dropzone-\(drop.id)"), in: folder.number)
  }

  private func nameCopy(_ drop: Drop, _ temporary: RawPath, _ name: RawPath, _ directory: PlaceBelow) -> Step {
    for number in 0..<1000 {
      var drop = drop
      drop.destinationName = FreeName.candidate(name, number: number)
      do throws(Errno) {
        let parent = try directory.open()
        try Directory.renameReplacingNothing(
          temporary, in: parent.number, to: drop.destinationName ?? name, in: parent.number)
        try Directory.syncWherePossible(parent.number)
        return .finish(drop, place: drop.place)
      } catch  where error == .exists {
        continue
      } catch {
        return .park(ClaimedPayload(drop: drop), "its copy cannot be named: \(error)")
      }
    }
    return .park(ClaimedPayload(drop: drop), "no free name for its copy")
  }

  private func returning(_ drop: Drop, isHeld: Bool) throws(Errno) -> Step {
    let isUndo = drop.source != nil
    guard try isThere(drop.zonePath) else { return park(drop, drop.zonePath) }
    // What is undone is «held» in its box.
    if isUndo, try !isThere(drop.boxPath) { return park(drop, drop.boxPath) }
    let (directory, name) = (PlaceBelow(drop.zonePath, drop.location.parent), drop.location.lastComponent)
    let inZone = try find(name, in: directory).map { drop.isBack($0.identity) } ?? false
    // The box's own is removed by the undo, once the zone's name is on the disk.
    if inZone, isHeld, !isUndo { try unlink(RawPath(drop.entry), in: drop.hold) }
    if inZone { return isUndo ? .undone(drop) : .closeReturned(drop) }
    if isHeld { return isUndo ? .undo(drop) : .putBack(drop) }
    if isUndo {
      try unlink(drop.halfCopy, in: directory)
    } else if try !isHoldThere(drop) {
      return park(drop, drop.holdPath)
    }
    return .withdrawn(drop)
  }

  private func park(_ drop: Drop, _ place: String) -> Step {
    .park(ClaimedPayload(drop: drop), "\(place.first == "/" ? "'\(Escaping.escape(place))'" : place) is not there")
  }
}
