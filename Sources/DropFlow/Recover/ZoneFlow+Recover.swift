package import DropEngine
import DropSystem

/// Finishing what a stop interrupted, before the first scan of the zone.
extension ZoneFlow {
  /// Carries out the rows of this zone; returns what goes with files that are in the zone still.
  ///
  /// `back` is how long those rows have waited already that were parked.
  package func recover(_ rows: [Drop], isCleanStop: Bool, back: Duration = .zero) async -> [AttemptCount] {
    var notes: [AttemptCount] = []
    var resumed: [ClaimedPayload] = []
    for row in rows {
      switch Recovery.step(row, isCleanStop: isCleanStop, wasMountPoint: mountPoints.contains) {
      case .resume(let payload):
        let kept = payload.drop
        // While the row says `copied`, a temporary that is not there says that it was named.
        guard await keep(kept) else { return notes }
        Recovery.removeTemporary(of: kept)
        resumed.append(payload)
      case .forget(let note):
        if let note { notes.append(note) }
        guard await closeRow(of: row, note) else { return notes }
        await stageOriginal(of: row)
      case .finish(let drop, let place):
        await finishRecovered(drop, place)
      case .close(let drop):
        await removeHeld([drop])
      case .putBack(let drop):
        do throws(Errno) {
          try renameBack(drop)
          inHand += 1
          await finishReturn(drop)
          notes.append(AttemptCount(of: drop))
        } catch {
          resumed.append(ClaimedPayload(drop: inHand(drop)))
        }
      case .closeReturned(let drop):
        inHand += 1
        await finishReturn(drop)
        notes.append(AttemptCount(of: drop))
      case .undo(let drop):
        await recoverUndo(drop, isBack: false, back: back)
      case .undone(let drop):
        await recoverUndo(drop, isBack: true, back: back)
      case .withdrawn(let drop):
        inHand += 1
        let record = ReceiptRecord(drop, outcome: .withdrawn, code: nil, message: nil, place: nil, finished: wallNow())
        await finish([(drop, record)])
      case .park(var payload, let why):
        payload.back = back
        if payload.drop.original != nil { guard await keep(payload.drop) else { return notes } }
        park(payload, why)
      }
    }
    await resume(resumed)
    return notes
  }

  /// Writes a row that stays. The original of a copy is in the zone, and nobody is to take it again meanwhile.
  private func keep(_ drop: Drop) async -> Bool {
    let note = drop.original.flatMap { _ in Self.copiedOriginal(drop) }
    let isKept = await commit([.put(drop)] + (note.map { [.putCopiedOriginal($0)] } ?? []))
    if isKept, let note { await observer.copied([note]) }
    return isKept
  }

  /// A payload that cannot be put back stays in the hold and is judged as what it is there.
  private func inHand(_ drop: Drop) -> Drop {
    var drop = drop
    drop.state = .claiming
    guard let file = try? openHeld(drop), let held = try? FileStatus.read(at: file.number),
      !held.identity.matches(inode: drop.inode, birth: drop.birth)
    else { return drop }
    drop.become(held)
    return drop
  }

  /// Lets a row wait whose places do not tell; they are asked again until they do, later each time.
  func park(_ payload: ClaimedPayload, _ why: String) {
    var payload = payload
    inHand += 1
    payload.back = payload.back == .zero ? .seconds(1) : min(payload.back * 2, .seconds(30))
    troubles[payload.drop.id] = PayloadTrouble(waiting: .blocked, message: why)
    log.warning(
      "parked, looked for again in \(payload.back.formatted): \(why)", zone: name, id: payload.drop.id,
      location: payload.drop.location)
    let waiting = payload
    start { flow in
      flow.publishClaimedCount()
      guard await flow.pause(waiting.back) else { return }
      await flow.recoverParked(forParked: waiting)
    }
  }

  private func recoverParked(forParked payload: ClaimedPayload) async {
    troubles[payload.drop.id] = nil
    _ = await recover([payload.drop], isCleanStop: false, back: payload.back)
    // Counted twice for a moment rather than not at all.
    inHand -= 1
    publishClaimedCount()
  }

  private func finishRecovered(_ drop: Drop, _ place: RawPath?) async {
    let record = ReceiptRecord(verdictOf: drop, place: place, finished: wallNow())
    if let place, let directory = drop.destination, let folder = try? directory.open() {
      if record.code != nil {
        try? ReasonFile.write(
          record.receipt, for: drop.id, beside: place.lastComponent, in: folder.number, durable: true)
        try? Directory.unlink(RawPath(".dropzone-\(drop.id).reason"), in: folder.number)
      }
      do throws(Errno) {
        if let hold = try? Directory.open(drop.holdPath) { try Directory.syncWherePossible(hold.number) }
        try Directory.syncWherePossible(folder.number)
      } catch {
        return park(ClaimedPayload(drop: drop), "its place cannot be synced: \(error)")
      }
    }
    inHand += 1
    if drop.copyInode == nil {
      await finish([(drop, record)])
    } else {
      await finishCopied(drop, record)
    }
  }
}
