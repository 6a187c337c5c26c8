import DropEngine

/// A simple staging: a file that is quiet, has no writer and is not known as an original is released.
extension World {
  /// A file of a zone that is not in hand.
  private struct Staged {
    var zone: Place
    var location: RawPath
    var file: FileReference
    var readyAt: Int64
  }

  /// When something is due next that waits for time; nil if nothing does.
  package var nextDeadline: Int64? {
    var next = daemon.payloads.compactMap(\.resumesAt).min()
    guard daemon.hasScanned, !daemon.isPaused else { return next }
    for staged in staged where next.map({ staged.readyAt < $0 }) ?? true { next = staged.readyAt }
    return next
  }

  /// Moves the clock to the next deadline, and lets go on what is due.
  package mutating func advance() {
    guard let next = nextDeadline else { return }
    machine.now = max(machine.now, next)
    for index in daemon.payloads.indices {
      guard let resumesAt = daemon.payloads[index].resumesAt, resumesAt <= machine.now else { continue }
      daemon.payloads[index].resumesAt = nil
      daemon.payloads[index].delivery.receive(.resumed, at: machine.now)
    }
    release()
  }

  /// Releases what is ready.
  private mutating func release() {
    guard daemon.hasScanned, !daemon.isPaused else { return }
    forgetGoneNotes()
    for staged in staged where staged.readyAt <= machine.now {
      let status = machine.status(of: staged.file)
      let zone = policies[staged.zone == .zone ? 0 : 1].settings.name
      if isLeftAlone(staged, status, zone) { continue }
      claim(staged, status, zone)
    }
  }

  private mutating func claim(_ staged: Staged, _ status: FileStatus, _ zone: String) {
    let origin = daemon.takeOrigin(of: status, in: zone)
    let id = origin?.count.id ?? machine.newID()
    let operation = setup.operation
    var drop = Drop(
      id: id, in: places(staged.zone, zone), location: staged.location, state: .claiming, operation: operation,
      entry: Drop.entry(for: id, name: staged.location.lastComponent), inode: status.identity.inode,
      birth: status.identity.birth, size: status.size, modified: status.modified, firstSeen: machine.now,
      released: machine.now, evidence: setup.usesLease ? .lease : .quietOnly)
    drop.changed = status.changed
    drop.links = status.links
    drop.attempts = origin?.count.attempts ?? 0
    drop.starts = origin?.count.starts ?? 0
    if operation == .copy {
      drop.original = Drop.Original(
        inode: status.identity.inode, birth: status.identity.birth, modified: status.modified, changed: status.changed)
    }
    var payload = Payload(Delivery(claiming: drop, policy: policy(of: zone)))
    payload.file = staged.file
    payload.released = status
    machine.witness.noteLast(machine[staged.file].content, of: id)
    daemon.payloads.append(payload)
  }

  private func places(_ place: Place, _ zone: String) -> DropPlaces {
    DropPlaces(
      zone: zone, zonePath: place.path, boxPath: Place.box.path, rejectsPath: Place.rejects.path,
      holdPath: machine.hold(of: place).path)
  }

  /// Whether a file was copied, or put back by an operator, and is as it was then.
  private mutating func isLeftAlone(_ staged: Staged, _ status: FileStatus, _ zone: String) -> Bool {
    guard var note = daemon.note(in: zone, at: staged.location) else { return false }
    if let holds = note.holds(for: status) { return holds }
    // Only its change time differs: its bytes decide.
    let digest = machine[staged.file].content.digest
    guard note.sha256 == nil || note.sha256 == digest else {
      daemon.forgetNote(in: zone, at: staged.location)
      machine.ledger.commit([.removeOriginal(zone: zone, location: staged.location, of: nil)])
      return false
    }
    note.changed = status.changed
    note.sha256 = digest
    daemon.note(note)
    machine.ledger.commit([.putOriginal(note)])
    return true
  }

  private mutating func forgetGoneNotes() {
    for note in daemon.notes where note.changed != 0 {
      guard let root = try? machine.folder(of: note.zone == "one" ? .zone : .secondZone) else { continue }
      let folder = try? machine.folder(note.location.parent, below: root)
      if folder.flatMap({ machine.find(machine.names[note.location.lastComponent], in: $0) }) != nil { continue }
      daemon.forgetNote(in: note.zone, at: note.location)
      machine.ledger.commit([.removeOriginal(zone: note.zone, location: note.location, of: nil)])
    }
  }

  private var staged: [Staged] {
    var all: [Staged] = []
    for zone in machine.zones where machine.isThere(zone.path) {
      list(machine[zone], RawPath(bytes: []), of: zone, into: &all)
    }
    return all
  }

  private func list(_ folder: Folder, _ location: RawPath, of zone: Place, into all: inout [Staged]) {
    for entry in machine.disks[folder.disk].entries where entry.directory == folder.id {
      let file = FileReference(disk: folder.disk, id: entry.file)
      let found = machine[file]
      let own = location.appending(machine.names.text(of: entry.name))
      if found.isDirectory {
        list(Folder(disk: folder.disk, id: entry.file), own, of: zone, into: &all)
      } else if found.writers == 0 || !setup.usesLease, machine.names.kind(of: entry.name) == .ordinary,
        !isClaimed(file, own, of: zone)
      {
        if let ready = readyAt(file, found, own, zone) {
          all.append(Staged(zone: zone, location: own, file: file, readyAt: ready))
        }
      }
    }
  }

  private func isClaimed(_ file: FileReference, _ location: RawPath, of zone: Place) -> Bool {
    daemon.payloads.contains { payload in
      if payload.file == file, payload.released != nil { return true }
      return payload.delivery.stage == .claim && payload.drop.source == nil && payload.drop.zonePath == zone.path
        && payload.drop.location == location
    }
  }

  /// When a file may be released; nil while it is left alone.
  private func readyAt(_ file: FileReference, _ found: File, _ location: RawPath, _ zone: Place) -> Int64? {
    let status = machine.status(of: file)
    let name = policies[zone == .zone ? 0 : 1].settings.name
    if let note = daemon.note(in: name, at: location), note.holds(for: status) == true { return nil }
    let quiet = found.changed / 1_000_000 + Daemon.quiet
    let held = daemon.origin(of: status, in: name)?.until ?? 0
    return max(quiet, held, daemon.isPostponed(file) ?? 0)
  }
}
