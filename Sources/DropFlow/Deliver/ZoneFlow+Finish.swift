import DropEngine
import DropSystem

/// What comes after the rename: receipts, places that cannot be had, directories that became empty.
extension ZoneFlow {
  /// Commits, and waits for room where the ledger has none; false when the daemon stops first or the ledger is broken.
  func commit(_ body: @escaping @Sendable (borrowing LedgerTransaction) throws(SQLiteError) -> Void) async -> Bool {
    var back = Duration.seconds(1)
    while true {
      do throws(LedgerError) {
        try await ledger.commit(body)
        return true
      } catch {
        guard case .noRoom = error else {
          await observer.ledgerFailed(error)
          return false
        }
        ledgerTrouble = "\(error)"
        await tellHand()
        guard await pause(back) else { return false }
        back = min(back * 2, .seconds(30))
        ledgerTrouble = nil
      }
    }
  }

  /// Commits the receipts and closes the rows.
  func finish(_ ends: [(drop: Drop, record: ReceiptRecord)]) async {
    let closed = ends.map { (id: $0.drop.id, zone: $0.drop.zone, inode: $0.drop.inode, birth: $0.drop.birth) }
    let tried = ends.filter { $0.drop.attempts > 0 || $0.drop.starts > 0 }.map(\.drop.id)
    let notes = ends.compactMap { Self.takenNote($0.drop, $0.record) }
    let records = ends.map(\.record)
    guard
      await commit({ (ledger) throws(SQLiteError) in
        for (index, end) in closed.enumerated() {
          try ledger.remove(end.id)
          try ledger.add(records[index])
          if tried.contains(end.id) { try ledger.removeAttempts(zone: end.zone, inode: end.inode, birth: end.birth) }
        }
        for note in notes { try ledger.put(note) }
      })
    else { return }
    for end in ends { removeReason(of: end.drop) }
    if !notes.isEmpty { await observer.noted(notes, in: name) }
    await report(records)
  }

  /// Tells of receipts that are on the disk.
  func report(_ records: [ReceiptRecord]) async {
    inHand -= records.count
    await observer.finished(records, in: name)
    await tellHand()
    for record in records {
      let what = record.place.map { "\(record.outcome.rawValue) as '\($0)'" } ?? record.outcome.rawValue
      let why = record.code.map { ": \($0.rawValue), \(record.message ?? "")" } ?? ""
      log.notice(what + why, zone: name, id: record.id, location: record.location)
    }
  }

  /// Removes what was copied away from the hold, and closes its rows.
  func removeHeld(_ drops: [Drop]) async {
    for drop in drops {
      guard let hold = try? Directory.open(drop.holdPath),
        let sight = try? Sight.look(at: RawPath(drop.entry), in: hold.number),
        sight.identity.matches(inode: drop.inode, birth: drop.birth)
      else { continue }
      try? Directory.unlink(RawPath(drop.entry), in: hold.number)
      if settings.delivery.durable { try? Directory.sync(hold.number) }
      removeReason(of: drop)
    }
    _ = await commit { (ledger) throws(SQLiteError) in
      for drop in drops {
        try ledger.remove(drop.id)
        try ledger.removeAttempts(zone: drop.zone, inode: drop.inode, birth: drop.birth)
      }
    }
  }

  /// The reason file of a reject that was tried again has told its story.
  private func removeReason(of drop: Drop) {
    guard let source = drop.source, let directory = try? FileDescriptor.open(source.parent, [.pathOnly, .directory])
    else {
      return
    }
    ReasonFile.remove(of: drop.id, beside: source.lastComponent, in: directory.number)
  }

  /// Lets a payload wait for its box or rejects; the first one asks again for all.
  func gate(_ payload: InHand, at root: String, _ reason: String) {
    var payload = payload
    payload.file = nil
    if payload.drop.state == .placing { payload.drop.state = .claiming }
    var gate = gates[root] ?? Gate(reason: reason, back: .seconds(1))
    let isFirst = gate.waiting.isEmpty
    gate.reason = reason
    gate.waiting.append(payload)
    gates[root] = gate
    guard isFirst else { return }
    log.warning("blocked, tried again in \(gate.back.formatted): \(reason)", zone: name, id: nil, location: nil)
    let back = gate.back
    start {
      await self.tellHand()
      guard await self.pause(back) else { return }
      await self.tryGate(root)
    }
  }

  private func tryGate(_ root: String) async {
    guard var gate = gates[root] else { return }
    let waiting = gate.waiting
    gate.waiting = []
    gate.back = min(gate.back * 2, .seconds(30))
    gates[root] = gate
    for payload in waiting { place(payload) }
    await tellHand()
  }

  func openGate(_ root: String) {
    if gates[root]?.waiting.isEmpty ?? false { gates[root] = nil }
  }

  /// The mounts have changed: what was proved of places is proved again, and what waits for one tries at once.
  package func placesMayHaveChanged() async {
    holds.forget()
    for root in Array(gates.keys) { await tryGate(root) }
  }

  /// Removes directories that became empty, where the zone says so: rmdir only, never the root.
  func prune(_ drops: [Drop]) {
    guard settings.prune, let root = try? Directory.open(settings.path) else { return }
    for location in Set(drops.map(\.location.parent)) {
      var location = location
      while !location.isEmpty,
        let parent = try? FileDescriptor.open(beneath: root.number, location.parent, [.pathOnly, .directory])
      {
        guard let sight = try? Sight.look(at: location.lastComponent, in: parent.number), sight.kind == .directory,
          wallNow() * 1_000_000 - sight.modified > Int64(settings.staging.quiet / .nanoseconds(1)),
          (try? Directory.removeEmpty(location.lastComponent, in: parent.number)) != nil
        else { break }
        location = location.parent
      }
    }
  }

  private static func takenNote(_ drop: Drop, _ record: ReceiptRecord) -> TakenNote? {
    guard drop.operation == .copy, drop.source == nil, let original = drop.original else { return nil }
    return TakenNote(
      zone: drop.zone, location: drop.location, inode: original.inode, birth: original.birth, size: drop.size,
      modified: original.modified, changed: original.changed, sha256: drop.sha256, id: drop.id)
  }
}
