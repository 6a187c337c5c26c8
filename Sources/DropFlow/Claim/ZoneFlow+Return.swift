import DropEngine
import DropSystem

/// The way back: from the hold, or from the box, to the payload's own name in the zone.
extension ZoneFlow {
  /// «Not yet»: the sender may go on with it under its own name. If that has been taken meanwhile, it waits in the hold.
  func putBack(_ payload: ClaimedPayload, _ message: String, retryAfter: Duration?) async {
    var payload = payload
    let back = retryAfter ?? min(Duration.seconds(1) * (1 << min(payload.drop.attempts - 1, 6)), .seconds(60))
    guard payload.drop.source == nil else {
      await waitInHand(payload, PayloadTrouble(waiting: .retry, message: message)) { await $0.ask($1) }
      return
    }
    if payload.drop.original != nil { return await giveUpCopy(payload, message, back) }
    payload.drop.state = .returning
    let drop = payload.drop
    guard await commit([.put(drop)]) else { return }
    do throws(Errno) {
      let held = try openHeld(drop)
      let status = try FileStatus.read(at: held.number)
      var origin = StagedPayload.Origin(
        id: drop.id, firstSeen: drop.firstSeen, attempts: drop.attempts, starts: drop.starts,
        ordinal: drop.ordinal)
      origin.holdBack(message, until: monotonicNow() + back, back: back)
      await observer.expectReturn(status.identity, origin)
      try renameBack(drop)
    } catch {
      payload.drop.state = .claiming
      // The zone may be what is not there.
      let isGone = error == .noEntry && !drop.isInHold && drop.isHoldThere
      let trouble = PayloadTrouble(
        waiting: .retry, message: "\(message); it cannot be put back: \(error)", isGone: isGone)
      await waitInHand(payload, trouble) { await $0.ask($1) }
      return
    }
    await finishReturn(drop)
  }

  /// Renames from the hold to the payload's own name, never over another file.
  func renameBack(_ drop: Drop) throws(Errno) {
    let root = try Directory.open(drop.zonePath)
    let parent = try Self.openOrMake(drop.location.parent, in: root)
    let hold = try Directory.open(drop.holdPath)
    try Directory.renameReplacingNothing(
      RawPath(drop.entry), in: hold.number, to: drop.location.lastComponent, in: parent.number)
  }

  /// What is back in the zone: both names are synced, and then its row is closed.
  func finishReturn(_ drop: Drop, back: Duration = .seconds(1)) async {
    do throws(Errno) {
      if settings.delivery.durable { try syncReturn(of: drop) }
    } catch {
      let message = "it is back in the zone, and that cannot be synced: \(error)"
      log.warning("tried again in \(back.formatted): \(message)", zone: name, id: drop.id, location: drop.location)
      troubles[drop.id] = PayloadTrouble(waiting: .blocked, message: message)
      start { flow in
        flow.publishClaimedCount()
        guard await flow.pause(back) else { return }
        flow.waited(drop.id)
        await flow.finishReturn(drop, back: min(back * 2, .seconds(30)))
      }
      return
    }
    _ = await closeRow(of: drop, AttemptCount(of: drop))
    await settle(drop)
  }

  /// Source before target.
  func syncReturn(of drop: Drop) throws(Errno) {
    let hold = try Directory.open(drop.holdPath)
    try Directory.syncWherePossible(hold.number)
    do throws(Errno) {
      let root = try Directory.open(drop.zonePath)
      let parent = try FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory])
      try Directory.syncWherePossible(parent.number)
    } catch  where [.noEntry, .notDirectory, .loop, .crossDevice].contains(error) {
      // Its sender has moved or removed the directory, and the payload with it.
    }
  }

  /// Ends the row of what is in the zone; its attempts stay, by identity. It may be on its way again already: then the
  /// row is another one.
  func closeRow(of drop: Drop, _ note: AttemptCount?) async -> Bool {
    var changes: [LedgerChange] = [.removeIfState(drop.id, drop.state)]
    if let note { changes.append(.putAttempts(note, at: wallNow())) }
    if drop.original != nil {
      changes.append(.removeOriginal(zone: drop.zone, location: drop.location, of: drop.id))
    }
    return await commit(changes)
  }

  private func settle(_ drop: Drop) async {
    inHand -= 1
    publishClaimedCount()
    await observer.settled(drop.id)
  }

  /// Opens a directory of the zone, making again what was removed meanwhile.
  static func openOrMake(_ location: RawPath, in root: borrowing FileDescriptor) throws(Errno) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor.open(beneath: root.number, location, [.pathOnly, .directory])
    } catch  where error == .noEntry {
      let status = try FileStatus.read(at: root.number)
      var directory = try FileDescriptor.open(".", in: root.number, [.pathOnly, .directory])
      for part in location.components {
        do throws(Errno) {
          try Directory.make(part, in: directory.number, mode: 0o700)
          try? Directory.adopt(group: status.group, mode: status.mode & 0o2777, of: part, in: directory.number)
        } catch  where error == .exists {}
        directory = try FileDescriptor.open(part, in: directory.number, [.pathOnly, .directory, .noFollow])
      }
      return directory
    }
  }
}

// MARK: - Copies

extension ZoneFlow {
  /// The original has been in its place all the time: the copy goes, and the original is staged again. Where that is
  /// gone, the copy is all there is, and stays.
  private func giveUpCopy(_ payload: ClaimedPayload, _ message: String, _ back: Duration) async {
    let drop = payload.drop
    do throws(Errno) {
      _ = try original(of: drop)
      let hold = try Directory.open(drop.holdPath)
      try remove(RawPath(drop.entry), in: hold.number, of: drop)
    } catch {
      let message = "\(message); its original cannot be had, or its copy not be removed: \(error)"
      await waitInHand(payload, PayloadTrouble(waiting: .retry, message: message)) { await $0.ask($1) }
      return
    }
    guard await closeRow(of: drop, AttemptCount(of: drop)) else { return }
    await stageOriginal(of: drop, message, back)
    await settle(drop)
  }

  /// Lets the original of a copy that is no more be what it was before: staged. One that has changed since is not held
  /// back.
  func stageOriginal(of drop: Drop, _ message: String? = nil, _ back: Duration = .zero) async {
    guard let copied = drop.original else { return }
    if let original = try? original(of: drop) {
      var origin = StagedPayload.Origin(
        id: drop.id, firstSeen: drop.firstSeen, attempts: drop.attempts, starts: drop.starts,
        ordinal: drop.ordinal)
      if let message, original.modified == copied.modified, original.changed == copied.changed {
        origin.holdBack(message, until: monotonicNow() + back, back: back)
      }
      await observer.expectReturn(original.identity, origin)
    }
    await observer.notComing(drop.id, at: drop.location)
  }

  private func original(of drop: Drop) throws(Errno) -> FileStatus {
    let root = try Directory.open(drop.zonePath)
    let parent = try FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory])
    let status = try FileStatus.read(at: drop.location.lastComponent, in: parent.number)
    guard let original = drop.original, status.identity.matches(inode: original.inode, birth: original.birth) else {
      throw .noEntry
    }
    return status
  }
}
