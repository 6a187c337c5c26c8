package import DropEngine
import DropSystem

/// Finishing what a stop interrupted, before the first scan of the zone.
extension ZoneFlow {
  /// Carries out the rows of this zone; returns what goes with files that are in the zone still.
  package func recover(_ rows: [Drop], isCleanStop: Bool) async -> [AttemptNote] {
    var notes: [AttemptNote] = []
    var resumed: [InHand] = []
    for row in rows {
      switch Recovery.step(row, isCleanStop: isCleanStop) {
      case .resume(let payload):
        let kept = payload.drop
        _ = await commit { (ledger) throws(SQLiteError) in try ledger.put(kept) }
        resumed.append(payload)
      case .forget(let note):
        if let note { notes.append(note) }
        let now = wallNow()
        _ = await commit { (ledger) throws(SQLiteError) in
          try ledger.remove(row.id)
          if let note { try ledger.put(note, at: now) }
        }
      case .finish(let drop, let place, let replaced):
        await finishRecovered(drop, place, replaced)
      case .close(let drop):
        await removeHeld([drop])
      case .putBack(let drop):
        do throws(Errno) {
          try renameBack(drop)
          inHand += 1
          await closeReturned([drop])
          notes.append(note(of: drop))
        } catch {
          resumed.append(InHand(drop: drop))
        }
      case .closeReturned(let drop):
        inHand += 1
        await closeReturned([drop])
        notes.append(note(of: drop))
      case .undo(let drop), .undone(let drop):
        await recoverUndo(drop)
      case .withdrawn(let drop):
        inHand += 1
        let record = ReceiptRecord(drop, outcome: .withdrawn, code: nil, message: nil, place: nil, finished: wallNow())
        await finish([(drop, record)])
      case .park(let payload, let why):
        log.warning("parked: \(why)", zone: name, id: payload.drop.id, location: payload.drop.location)
        parked.append(payload)
      }
    }
    await resume(resumed)
    return notes
  }

  private func finishRecovered(_ drop: Drop, _ place: RawPath?, _ replaced: Bool) async {
    let record = ReceiptRecord(verdictOf: drop, place: place, finished: wallNow(), replaced: replaced)
    if let place, let folder = try? FileDescriptor.open(place.parent, [.pathOnly, .directory]) {
      if record.code != nil {
        try? ReasonFile.write(
          record.receipt, for: drop.id, beside: place.lastComponent, in: folder.number, durable: true)
        try? Directory.unlink(RawPath(".dropzone-\(drop.id).reason"), in: folder.number)
      }
      if let hold = try? Directory.open(drop.holdPath) { try? Directory.sync(hold.number) }
      try? Directory.sync(folder.number)
    }
    inHand += 1
    if drop.copyInode == nil {
      await finish([(drop, record)])
    } else {
      await finishCopied(drop, record)
    }
  }

  private func recoverUndo(_ drop: Drop) async {
    do throws(Errno) {
      try await finishUndo(drop)
    } catch {
      log.warning("cannot be put back: \(error)", zone: name, id: drop.id, location: drop.location)
      _ = await commit { (ledger) throws(SQLiteError) in try ledger.remove(drop.id) }
    }
  }

  private func note(of drop: Drop) -> AttemptNote {
    AttemptNote(
      zone: drop.zone, inode: drop.inode, birth: drop.birth, location: drop.location, id: drop.id,
      attempts: drop.attempts, starts: drop.starts)
  }
}
