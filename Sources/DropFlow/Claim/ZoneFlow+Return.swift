import DropEngine
import DropSystem

/// The way back: from the hold, or from the box, to the payload's own name in the zone.
extension ZoneFlow {
  /// «Not yet»: the sender may go on with it under its own name. If that has been taken meanwhile, it waits in the hold.
  func putBack(_ payload: InHand, _ message: String, retryAfter: Duration?) async {
    var payload = payload
    let back = retryAfter ?? min(Duration.seconds(1) * (1 << min(payload.drop.attempts - 1, 6)), .seconds(60))
    guard payload.drop.source == nil else {
      await waitInHand(payload, PayloadTrouble(waiting: .retry, message: message)) { await $0.ask($1) }
      return
    }
    payload.drop.state = .returning
    let drop = payload.drop
    guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(drop) }) else { return }
    do throws(Errno) {
      let held = try openHeld(drop)
      let sight = try Sight.look(at: held.number)
      var origin = StagedPayload.Origin(
        id: drop.id, firstSeen: drop.firstSeen, attempts: drop.attempts, starts: drop.starts)
      origin.holdBack(message, until: monotonicNow() + back, back: back)
      await observer.expectReturn(sight.identity, origin, in: name)
      try renameBack(drop)
    } catch {
      payload.drop.state = .claiming
      await waitInHand(
        payload,
        PayloadTrouble(
          waiting: .retry, message: "\(message); it cannot be put back: \(error)", isGone: error == .noEntry)
      ) {
        await $0.ask($1)
      }
      return
    }
    await closeReturned([drop])
  }

  /// Ends rows of payloads that are back in the zone; their attempts stay, by identity.
  func closeReturned(_ drops: [Drop]) async {
    let now = wallNow()
    _ = await commit { (ledger) throws(SQLiteError) in
      for drop in drops {
        try ledger.remove(drop.id)
        try ledger.put(
          AttemptNote(
            zone: drop.zone, inode: drop.inode, birth: drop.birth, location: drop.location, id: drop.id,
            attempts: drop.attempts, starts: drop.starts), at: now)
      }
    }
    inHand -= drops.count
    tellHand()
    for drop in drops { await observer.settled(drop.id, in: name) }
  }

  /// Renames from the hold to the payload's own name, never over another file, and syncs source before target.
  func renameBack(_ drop: Drop) throws(Errno) {
    let root = try Directory.open(drop.zonePath)
    let parent = try Self.openOrMake(drop.location.parent, in: root)
    let hold = try Directory.open(drop.holdPath)
    try Directory.rename(
      RawPath(drop.entry), in: hold.number, to: drop.location.lastComponent, in: parent.number)
    guard settings.delivery.durable else { return }
    try? Directory.sync(hold.number)
    try? Directory.sync(parent.number)
  }

  /// Opens a directory of the zone, making again what was removed meanwhile.
  static func openOrMake(_ location: RawPath, in root: borrowing FileDescriptor) throws(Errno) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor.open(beneath: root.number, location, [.pathOnly, .directory])
    } catch  where error == .noEntry {
      let sight = try Sight.look(at: root.number)
      var directory = try FileDescriptor.open(".", in: root.number, [.pathOnly, .directory])
      for part in location.components {
        do throws(Errno) {
          try Directory.make(part, in: directory.number, mode: 0o700)
          try? Directory.adopt(group: sight.group, mode: sight.mode & 0o2777, of: part, in: directory.number)
        } catch  where error == .exists {}
        directory = try FileDescriptor.open(part, in: directory.number, [.pathOnly, .directory, .noFollow])
      }
      return directory
    }
  }
}
