import DropEngine
import DropSystem

/// What comes after the rename: receipts, places that cannot be had, directories that became empty.
extension ZoneFlow {
  /// Commits, and waits for room where the ledger has none; false when the daemon stops first or the ledger is broken.
  func commit(_ changes: [LedgerChange], isAlone: Bool = false) async -> Bool {
    var back = Duration.seconds(1)
    while true {
      do throws(LedgerError) {
        try await ledger.commit(changes, isAlone: isAlone)
        return true
      } catch {
        guard case .noRoom = error else {
          observer.ledgerFailed(error)
          return false
        }
        ledgerTrouble = "\(error)"
        publishClaimedCount()
        guard await pause(back) else { return false }
        back = min(back * 2, .seconds(30))
        ledgerTrouble = nil
      }
    }
  }

  /// Commits the receipts and closes the rows; that of a reject which was tried again once its old reason is gone.
  func finish(_ ends: [(drop: Drop, record: ReceiptRecord)]) async {
    let retried = ends.map(\.drop).filter { $0.source != nil }.map(\.placed)
    let notes = ends.compactMap { Self.copiedOriginal($0.drop) }
    let records = ends.map(\.record)
    var changes: [LedgerChange] = records.map { .addReceipt($0) }
    changes += retried.map { .put($0) }
    for drop in ends.lazy.map(\.drop) where drop.source == nil {
      changes.append(.remove(drop.id))
      if drop.attempts > 0 || drop.starts > 0 { changes.append(.removeAttempts(AttemptCount(of: drop))) }
    }
    changes += notes.map { .putCopiedOriginal($0) }
    guard await commit(changes, isAlone: hasFew) else { return }
    if !retried.isEmpty { await removeHeld(retried) }
    if !notes.isEmpty { await observer.copied(notes) }
    await report(records)
  }

  /// The receipt of what was copied: its row stays until the source is gone.
  func finishCopied(_ drop: Drop, _ record: ReceiptRecord) async {
    let row = drop.placed
    let note = Self.copiedOriginal(drop)
    var changes: [LedgerChange] = [.put(row), .addReceipt(record)]
    if let note { changes.append(.putCopiedOriginal(note)) }
    guard await commit(changes) else { return }
    if let note { await observer.copied([note]) }
    await removeHeld([row])
    await report([record])
    prune([row])
  }

  /// Tells of receipts that are on the disk.
  func report(_ records: [ReceiptRecord]) async {
    inHand -= records.count
    observer.finished(records)
    publishClaimedCount()
    for record in records {
      let what = record.place.map { "\(record.outcome.rawValue) as '\($0)'" } ?? record.outcome.rawValue
      let why = record.code.map { ": \($0.rawValue), \(record.message ?? "")" } ?? ""
      log.notice(what + why, zone: name, id: record.id, location: record.location)
    }
  }

  /// Removes what was copied away from the hold, and closes its rows.
  ///
  /// After a power cut the source may be in the zone again: then it goes from there. Its absence is on the disk before
  /// the row is closed, or a second cut would bring it back with nobody left who knows it. What cannot be removed, or
  /// given back, keeps its row and is tried again.
  func removeHeld(_ drops: [Drop], back: Duration = .seconds(1)) async {
    var removed: [Drop] = []
    var left: [Drop] = []
    for drop in drops {
      do throws(Errno) {
        if drop.returnsOriginal {
          try await returnOriginal(of: drop)
        } else {
          try removeSource(of: drop)
          removeReason(of: drop)
        }
        removed.append(drop)
      } catch {
        log.warning(
          "is in its place and cannot leave the hold, tried again in \(back.formatted): \(error)", zone: name,
          id: drop.id, location: drop.location)
        left.append(drop)
      }
    }
    _ = await commit(removed.flatMap { [.remove($0.id), .removeAttempts(AttemptCount(of: $0))] })
    guard !left.isEmpty else { return }
    let again = left
    start { flow in
      guard await flow.pause(back) else { return }
      await flow.removeHeld(again, back: min(back * 2, .seconds(60)))
    }
  }

  private func removeSource(of drop: Drop) throws(Errno) {
    let isHoldThere = drop.isInHold || drop.isHoldThere
    if isHoldThere {
      // A rename has left nothing behind: the only name of it is never removed.
      if drop.source != nil, drop.copyInode == nil, !isInPlace(drop) { return }
      try remove(RawPath(drop.entry), at: RawPath(drop.holdPath), of: drop)
    }
    let isInZone = try removeFromZone(drop)
    guard isHoldThere || isInZone else { throw .noEntry }
  }

  /// A power cut may have taken the hold's name away, and the hold too, and left that in the zone; returns whether it was
  /// there.
  private func removeFromZone(_ drop: Drop) throws(Errno) -> Bool {
    guard drop.source == nil, drop.original == nil else { return false }
    do throws(Errno) {
      let root = try Directory.open(drop.zonePath)
      let parent = try FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory])
      let name = drop.location.lastComponent
      let found = try? FileStatus.read(at: name, in: parent.number)
      try remove(name, in: parent.number, of: drop)
      return found?.identity.matches(inode: drop.inode, birth: drop.birth) ?? false
    } catch  where [.noEntry, .notDirectory, .loop, .crossDevice].contains(error) {
      return false
    }
  }

  private nonisolated func isInPlace(_ drop: Drop) -> Bool {
    guard let place = drop.place, let directory = try? FileDescriptor.open(place.parent, [.pathOnly, .directory]),
      let status = try? FileStatus.read(at: place.lastComponent, in: directory.number)
    else { return false }
    return status.identity.matches(inode: drop.inode, birth: drop.birth)
  }

  /// Removes a name where it is this payload's; that it is gone is on the disk.
  func remove(_ name: RawPath, at directory: RawPath, of drop: Drop) throws(Errno) {
    do throws(Errno) {
      let directory = try FileDescriptor.open(directory, [.pathOnly, .directory])
      try remove(name, in: directory.number, of: drop)
    } catch  where error == .noEntry {}
  }

  func remove(_ name: RawPath, in directory: Int32, of drop: Drop) throws(Errno) {
    do throws(Errno) {
      if try FileStatus.read(at: name, in: directory).identity.matches(inode: drop.inode, birth: drop.birth) {
        try Directory.unlink(name, in: directory)
      }
    } catch  where error == .noEntry {}
    if settings.delivery.durable { try Directory.syncWherePossible(directory) }
  }

  /// The reason file of a reject that was tried again has told its story, unless it is told anew under the same name.
  private func removeReason(of drop: Drop) {
    guard let source = drop.source, source != drop.place,
      let directory = try? FileDescriptor.open(source.parent, [.pathOnly, .directory])
    else { return }
    ReasonFile.remove(of: drop.id, beside: source.lastComponent, in: directory.number)
    if settings.delivery.durable { try? Directory.sync(directory.number) }
  }

  /// Lets a payload wait for its box or rejects; the first one asks again for all.
  func gate(_ payload: ClaimedPayload, at root: String, _ reason: String) {
    var payload = payload
    payload.file = nil
    if payload.drop.state == .placing { payload.drop.state = .claiming }
    var gate = gates[root] ?? Gate(reason: reason, back: .seconds(1))
    let isFirst = gate.waiting.isEmpty
    gate.reason = reason
    gate.isTried = false
    gate.waiting.append(payload)
    gates[root] = gate
    guard isFirst else { return }
    log.warning("blocked, tried again in \(gate.back.formatted): \(reason)", zone: name, id: nil, location: nil)
    let back = gate.back
    start { flow in
      flow.publishClaimedCount()
      guard await flow.pause(back) else { return }
      flow.tryGate(root)
    }
  }

  private func tryGate(_ root: String) {
    guard var gate = gates[root] else { return }
    let waiting = gate.waiting
    gate.waiting = []
    gate.isTried = !waiting.isEmpty
    gate.back = min(gate.back * 2, .seconds(30))
    gates[root] = gate
    for payload in waiting { place(payload) }
  }

  /// Nobody is at a gate any more, and none came through it: what went another way does not show it as shut, nor does
  /// the next one wait as long as they did. What is copied may still find it so.
  func leaveGates() {
    guard placers == 0, toCopy.isEmpty, longToCopy.isEmpty, copies.isEmpty else { return }
    let left = gates.filter { $0.value.waiting.isEmpty }
    guard !left.isEmpty else { return }
    for root in left.keys { gates[root] = nil }
    if left.values.contains(where: \.isTried) { publishClaimedCount() }
  }

  func openGate(_ root: String) {
    if gates[root]?.waiting.isEmpty ?? false { gates[root] = nil }
  }

  /// The mounts have changed: what was proved of places is proved again, and what waits for one tries at once.
  package func placesMayHaveChanged() async {
    holds.forget()
    for root in Array(gates.keys) { tryGate(root) }
  }

  /// Removes directories that became empty, where the zone says so: rmdir only, never the root, and not before
  /// nothing has happened in them for the quiet time, so that a sender who comes back finds them or makes them.
  func prune(_ drops: [Drop]) {
    guard settings.prune else { return }
    var locations: Set<RawPath> = []
    for drop in drops {
      var location = drop.location.parent
      while !location.isEmpty, locations.insert(location).inserted { location = location.parent }
    }
    prune(locations)
  }

  /// A few times: one whose time lies ahead never gets old.
  private func prune(_ locations: Set<RawPath>, tries: Int = 3) {
    guard !locations.isEmpty, tries > 0, !isStopping else { return }
    start { flow in
      guard await flow.pause(flow.settings.staging.quiet + .milliseconds(250)) else { return }
      flow.prune(await offActor { flow.pruneNow(locations) }, tries: tries - 1)
    }
  }

  /// Removes what is empty and old, the deepest first; returns what is empty and may be old the next time.
  private nonisolated func pruneNow(_ locations: Set<RawPath>) -> Set<RawPath> {
    guard let root = try? Directory.open(plan.settings.path) else { return [] }
    let quiet = plan.settings.staging.quiet
    // Looked at before anything goes, which is a change of the directory it was in.
    let old = locations.filter { age(of: $0, below: root) > quiet }
    var young: Set<RawPath> = []
    for location in locations.sorted(by: { $0.components.count > $1.components.count }) {
      guard let parent = try? FileDescriptor.open(beneath: root.number, location.parent, [.pathOnly, .directory])
      else { continue }
      if old.contains(location) {
        try? Directory.removeEmpty(location.lastComponent, in: parent.number)
      } else if isEmpty(location.lastComponent, in: parent) {
        young.insert(location)
      }
    }
    return young
  }

  private nonisolated func isEmpty(_ name: RawPath, in parent: borrowing FileDescriptor) -> Bool {
    guard let directory = try? FileDescriptor.open(name, in: parent.number, [.pathOnly, .directory, .noFollow])
    else { return false }
    return Directory.isEmpty(directory.number)
  }

  /// The time since a name was last made or removed in a directory, or its sender says so: that may be any.
  private nonisolated func age(of location: RawPath, below root: borrowing FileDescriptor) -> Duration {
    guard let directory = try? FileDescriptor.open(beneath: root.number, location, [.pathOnly, .directory]),
      let status = try? FileStatus.read(at: directory.number)
    else { return .zero }
    return .milliseconds(wallNow()) - .nanoseconds(status.modified)
  }

  /// What keeps the original of a copy from being taken again.
  static func copiedOriginal(_ drop: Drop) -> CopiedOriginal? {
    guard drop.operation == .copy, drop.source == nil, let original = drop.original else { return nil }
    let size = original.size ?? (drop.modified == original.modified ? nil : sizeOfOriginal(drop, original))
    return CopiedOriginal(
      zone: drop.zone, location: drop.location, inode: original.inode, birth: original.birth, size: size ?? drop.size,
      modified: original.modified, changed: original.changed, sha256: size == nil ? drop.sha256 : original.sha256,
      id: drop.id)
  }

  /// How long the original is of which an earlier process had a copy that its handler changed; nil if it is not what it
  /// was either.
  private static func sizeOfOriginal(_ drop: Drop, _ original: Drop.Original) -> Int64? {
    guard let root = try? Directory.open(drop.zonePath),
      let parent = try? FileDescriptor.open(beneath: root.number, drop.location.parent, [.pathOnly, .directory]),
      let status = try? FileStatus.read(at: drop.location.lastComponent, in: parent.number),
      status.identity.matches(inode: original.inode, birth: original.birth), status.modified == original.modified
    else { return nil }
    return status.size
  }
}
