import DropEngine
import DropSystem

/// A handler that asks for a copy of what was moved: the copy is delivered, and the original goes back to its name.
extension ZoneFlow {
  /// Whether the payload's own name is free, in a directory that is still there.
  func canReturn(_ drop: Drop) -> Bool {
    guard drop.source == nil, let root = try? Directory.open(drop.zonePath),
      let parent = try? FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory]),
      Directory.isWritable(parent.number)
    else { return false }
    do throws(Errno) {
      _ = try FileStatus.read(at: drop.location.lastComponent, in: parent.number)
      return false
    } catch {
      return error == .noEntry
    }
  }

  /// Renames the original out of the hold, after the receipt of its copy. Where a newer file has its name by now it
  /// gets the next free one beside it: it is never replaced and never lost.
  func returnOriginal(of drop: Drop) async throws(Errno) {
    let root = try Directory.open(drop.zonePath)
    let hold = OpenFile(try Directory.open(drop.holdPath))
    let isHeld: Bool
    do throws(Errno) {
      let held = try FileStatus.read(at: RawPath(drop.entry), in: hold.number)
      isHeld = held.identity.matches(inode: drop.inode, birth: drop.birth)
    } catch  where error == .noEntry && drop.isHoldThere {
      // A stop came between the rename and the end of its row, or a sync failed.
      isHeld = false
    }
    if isHeld {
      let parent = OpenFile(try Self.openOrMake(drop.location.parent, in: root))
      try await returnOriginal(of: drop, from: hold, to: parent)
    }
    if settings.delivery.durable { try syncReturn(of: drop) }
  }

  private func returnOriginal(of drop: Drop, from hold: OpenFile, to parent: OpenFile) async throws(Errno) {
    let own = drop.location.lastComponent
    for number in 0..<1000 {
      var note = CopiedOriginal(returning: drop)
      note.location = drop.location.parent.appending(FreeName.candidate(own, number: number))
      // What is noted of the file that has the name is not to be forgotten for this one.
      if (try? FileStatus.read(at: note.location.lastComponent, in: parent.number)) != nil { continue }
      // Known before the name appears: whoever looks at it then must not take it.
      guard await keep(note) else { throw .io }
      do throws(Errno) {
        try Directory.renameReplacingNothing(
          RawPath(drop.entry), in: hold.number, to: note.location.lastComponent, in: parent.number)
      } catch  where error == .exists {
        guard await forget(note) else { throw .io }
        continue
      }
      note.changed = (try? FileStatus.read(at: note.location.lastComponent, in: parent.number).changed) ?? 0
      _ = await keep(note)
      return
    }
    throw .exists
  }

  private func keep(_ note: CopiedOriginal) async -> Bool {
    await observer.noted([note])
    return await commit([.putOriginal(note)])
  }

  private func forget(_ note: CopiedOriginal) async -> Bool {
    await observer.notComing(note.id, at: note.location)
    return await commit([.removeOriginal(zone: note.zone, location: note.location, of: note.id)])
  }
}

extension CopiedOriginal {
  /// Of an original that is about to reappear in its zone.
  init(returning drop: Drop) {
    self.init(
      zone: drop.zone, location: drop.location, inode: drop.inode, birth: drop.birth, size: drop.size,
      modified: drop.modified, changed: 0, sha256: drop.sha256, id: drop.id)
  }
}
