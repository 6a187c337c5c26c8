internal import DropEngine
import DropSystem

/// What lies in holds and has no row: a ledger was lost. Where there are rows, they say where their holds are.
extension ZoneFlow {
  /// Sends entries without a row to the rejects, as `recovered-ID.EXT`.
  ///
  /// Two zones may share a hold, and the other one is at work: what it took or placed meanwhile is told by a second
  /// look, at the ledger first and then at the hold.
  package func recoverOrphans() async {
    for path in holds.everywhere() {
      guard let directory = try? FileDescriptor.open(RawPath(path), [.pathOnly, .directory, .noFollow]),
        let status = try? FileStatus.read(at: directory.number), status.owner == effectiveUser(),
        var reader = try? DirectoryReader(directory.number)
      else { continue }
      await observer.exclude(status.identity)
      var entries: [(name: RawPath, id: DropID)] = []
      while let entry = try? reader.next() {
        if entry.bytes.starts(with: Directory.probePrefix.utf8) {
          try? Directory.unlink(entry, in: directory.number)
          continue
        }
        // What a handler has made of it has the id in front.
        if let id = DropID(String(entry.string?.prefix { $0 != "." } ?? "")) { entries.append((entry, id)) }
      }
      guard !entries.isEmpty,
        let rows = try? ledger.drops()
      else { continue }
      // Whatever a drop in hand has there is its own.
      let known = Set(rows.map(\.id))
      var taken: Set<DropID> = []
      let entriesInHand = Set(rows.map(\.entry))
      let orphans = entries.compactMap { entry, id -> ClaimedPayload? in
        guard let text = entry.string, !known.contains(id), !entriesInHand.contains(text),
          let held = try? FileStatus.read(at: entry, in: directory.number), held.kind == .regular
        else { return nil }
        // An id that has had its outcome keeps it.
        let isFree = (try? ledger.outcome(of: id) == nil) ?? false
        let own = isFree && !taken.contains(id) ? id : newDropID()
        taken.insert(own)
        return ClaimedPayload(drop: orphan(own, entry: text, held, path))
      }
      guard !orphans.isEmpty else { continue }
      log.warning(
        "\(orphans.count) payloads in the hold '\(Escaping.escape(path))' are in no ledger: they go to the rejects",
        zone: name, id: nil, location: nil)
      let drops = orphans.map(\.drop)
      _ = await commit(drops.map { .put($0) })
      await resume(orphans)
    }
  }

  private func orphan(_ id: DropID, entry: String, _ status: FileStatus, _ hold: String) -> Drop {
    var drop = Drop(
      id: id, zone: name, location: RawPath("recovered-" + entry), state: .placing, operation: .move,
      zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold, entry: entry,
      inode: status.identity.inode, birth: status.identity.birth, size: status.size, modified: status.modified,
      firstSeen: wallNow(), released: wallNow(), evidence: .quietOnly)
    drop.changed = status.changed
    drop.links = status.links
    drop.verdict = .rejected(.ledgerLost, message: "it lay in the hold and the ledger did not know it")
    return drop
  }
}
