import DropEngine
import DropSystem

/// Files that were taken already and are in the zone still: originals of copies, and what undo put back.
extension StagingArea {
  /// Whether a copy of it was taken, or an operator put it back, and it is as it was then.
  ///
  /// Where only its change time differs it counts as taken until its bytes have been compared.
  func isTaken(_ location: RawPath, _ status: FileStatus, in name: String) -> Bool {
    guard let note = zones[name]?.taken[location] else { return false }
    if let holds = note.holds(for: status) { return holds }
    compareLater(location, in: name)
    return true
  }

  func noted(_ notes: [CopiedOriginal], in name: String) {
    for note in notes { self.note(note, in: name) }
  }

  func copied(_ notes: [CopiedOriginal], in name: String) {
    for note in notes {
      // Written anew or replaced, and taken again, before its first copy was done.
      if let known = zones[name]?.taken[note.location], known.id > note.id { continue }
      self.note(note, in: name)
    }
  }

  private func note(_ note: CopiedOriginal, in name: String) {
    zones[name]?.taken[note.location] = note
    // Another file may have the name by now.
    guard let key = key(of: note.location, in: name), let staged = zones[name]?.staging[key],
      case let holds = note.holds(for: staged.status), holds != false
    else { return }
    _ = zones[name]?.staging.lose(key)
    touch(name)
    if holds == nil { compareLater(note.location, in: name) }
  }

  func notComing(_ id: DropID, at location: RawPath, in name: String) {
    guard zones[name]?.taken[location]?.id == id else { return }
    zones[name]?.taken[location] = nil
    // What has the name is a payload of its own.
    guard let key = key(of: location, in: name) else { return }
    inspect(at: [(key, [])], at: monotonicNow())
    turn(at: monotonicNow())
  }

  func forgetTaken(_ location: RawPath, in name: String) {
    zones[name]?.taken[location] = nil
    write([.removeOriginal(zone: name, location: location, of: nil)])
  }

  private func keep(_ note: CopiedOriginal, in name: String) {
    zones[name]?.taken[note.location] = note
    write([.putOriginal(note)])
  }

  private func key(of location: RawPath, in name: String) -> PayloadKey? {
    guard let root = zones[name]?.root, let id = tree.find(location.parent, from: root) else { return nil }
    return PayloadKey(directory: id, name: location.lastComponent)
  }

  // MARK: - By their bytes

  /// One after the other, on threads that may wait.
  private func compareLater(_ location: RawPath, in name: String) {
    guard zones[name]?.comparing.insert(location).inserted ?? false else { return }
    comparisons.append(Comparison(zone: name, location: location))
    guard !isComparing else { return }
    isComparing = true
    Task { await self.compareAll() }
  }

  private func compareAll() async {
    while let next = comparisons.popFirst() { await compare(next.location, in: next.zone) }
    isComparing = false
  }

  private func compare(_ location: RawPath, in name: String) async {
    if let zone = zones[name], let note = zone.taken[location] {
      let original = Original(root: zone.resolvedPath, note: note, ledger: ledger)
      let likeness = await Task.detached(executorPreference: zone.flow.pool) { original.likeness() }.value
      zones[name]?.comparing.remove(location)
      compared(note, likeness, in: name)
    } else {
      zones[name]?.comparing.remove(location)
    }
    touch(name)
    turn(at: monotonicNow())
  }

  private func compared(_ note: CopiedOriginal, _ likeness: Original.Likeness, in name: String) {
    // Another drop's note has its own answer.
    guard var known = zones[name]?.taken[note.location], known.id == note.id else { return }
    switch likeness {
    case .same(let status, let digest):
      known.changed = status.changed
      known.sha256 = known.sha256 ?? digest
      keep(known, in: name)
    case .different:
      forgetTaken(note.location, in: name)
    case .unknown:
      // Asked again at its next change, or by the next scan.
      return
    }
    if let key = key(of: note.location, in: name) { inspect(at: [(key, [])], at: monotonicNow()) }
  }

  struct Comparison {
    var zone: String
    var location: RawPath
  }

  /// A file whose change time says that something was done to it since it was taken: to its rights, or its bytes.
  private struct Original: Sendable {
    let root: String
    let note: CopiedOriginal
    let ledger: Ledger

    enum Likeness: Sendable {
      case same(FileStatus, digest: String?)
      case different
      case unknown
    }

    func likeness() -> Likeness {
      do {
        let root = try Directory.open(root)
        let path = try FileDescriptor.open(beneath: root.number, note.location, [.pathOnly, .noFollow])
        let status = try FileStatus.read(at: path.number)
        guard note.holds(for: status) != false else { return .unknown }
        // Its copy went away and was never counted: with the old size and time of writing, it is its rights.
        guard let digest = note.sha256 ?? digestOfCopy() else { return .same(status, digest: nil) }
        let file = try path.reopened([.readOnly, .nonBlocking])
        return try Digest.sha256(of: file) == digest ? .same(status, digest: digest) : .different
      } catch {
        return .unknown
      }
    }

    /// Of the copy that was taken: where its receipt says it lies, and before that in the hold or on its way.
    private func digestOfCopy() -> String? {
      let id = note.id
      if let record = try? ledger.read({ (ledger) throws(SQLiteError) in try ledger.outcome(of: id) }) {
        return record.place.flatMap { digest(of: $0) { $0.matches(inode: record.inode, birth: record.birth) } }
      }
      let row = try? ledger.read { (ledger) throws(SQLiteError) in try ledger.drops().first { $0.id == id } }
      guard let row else { return nil }
      // The snapshot has another inode than its row says until it has a verdict.
      return digest(of: RawPath(row.holdPath).appending(RawPath(row.entry))) { _ in true }
        ?? row.place.flatMap { digest(of: $0) { $0.matches(inode: row.inode, birth: row.birth) } }
    }

    private func digest(of path: RawPath, where isCopy: (FileIdentity) -> Bool) -> String? {
      guard let parent = try? FileDescriptor.open(path.parent, [.pathOnly, .directory]),
        let found = try? FileDescriptor.open(path.lastComponent, in: parent.number, [.pathOnly, .noFollow]),
        let status = try? FileStatus.read(at: found.number), status.kind == .regular, isCopy(status.identity),
        status.size == note.size, let file = try? found.reopened([.readOnly, .nonBlocking])
      else { return nil }
      return try? Digest.sha256(of: file)
    }
  }
}
