import DropEngine

/// The memory of the daemon's process: a kill takes all of it.
struct Daemon {
  var payloads: [Payload] = []
  /// Files of the zones that are left alone until they change.
  private(set) var notes: [CopiedOriginal] = []
  /// What belongs to files that are in a zone, or about to be.
  private(set) var origins: [Origin] = []
  /// Files whose claim was refused, and when it is tried again.
  private(set) var postponed: [(file: FileReference, until: Int64)] = []
  var isPaused = false
  /// Whether recovery is over as far as the first scan must not come in between.
  var hasScanned = false

  struct Origin {
    var count: AttemptCount
    /// Until when it is left alone; 0 if it is not.
    var until: Int64 = 0
  }

  static let quiet: Int64 = 1000

  /// A process that starts on what an earlier one left.
  init(_ ledger: SimulatedLedger, isPaused: Bool) {
    notes = ledger.originals
    origins = ledger.attempts.map { Origin(count: $0) }
    self.isPaused = isPaused
  }

  // MARK: - Notes

  mutating func note(_ note: CopiedOriginal) {
    forgetNote(in: note.zone, at: note.location)
    notes.append(note)
  }

  mutating func noteCopied(_ note: CopiedOriginal) {
    if let known = self.note(in: note.zone, at: note.location), known.id > note.id { return }
    self.note(note)
  }

  func note(in zone: String, at location: RawPath) -> CopiedOriginal? {
    notes.first { $0.zone == zone && $0.location == location }
  }

  mutating func forgetNote(in zone: String, at location: RawPath, of id: DropID? = nil) {
    notes.removeAll { $0.zone == zone && $0.location == location && (id == nil || $0.id == id) }
  }

  mutating func forgetNotes(of id: DropID) { notes.removeAll { $0.id == id } }

  // MARK: - Files that reappear

  mutating func expect(_ count: AttemptCount, until: Int64 = 0) {
    origins.removeAll { $0.count.inode == count.inode && $0.count.zone == count.zone }
    origins.append(Origin(count: count, until: until))
  }

  func origin(of status: FileStatus, in zone: String) -> Origin? {
    origins.first {
      $0.count.zone == zone && status.identity.matches(inode: $0.count.inode, birth: $0.count.birth)
    }
  }

  mutating func takeOrigin(of status: FileStatus, in zone: String) -> Origin? {
    guard let origin = origin(of: status, in: zone) else { return nil }
    origins.removeAll { $0.count == origin.count }
    return origin
  }

  mutating func postpone(_ file: FileReference, until: Int64) {
    postponed.removeAll { $0.file == file }
    postponed.append((file, until))
  }

  func isPostponed(_ file: FileReference) -> Int64? { postponed.first { $0.file == file }?.until }

  // MARK: - Turns

  /// The payloads that have something to do now.
  func runnable(_ machine: Machine) -> [Int] {
    if let first = payloads.firstIndex(where: \.isBeforeScan) {
      return payloads[first].resumesAt == nil && !isHanging(payloads[first], machine) ? [first] : []
    }
    var hasSuspect = false
    return payloads.indices.filter { index in
      guard payloads[index].resumesAt == nil else { return false }
      if payloads[index].isSuspect {
        if hasSuspect { return false }
        hasSuspect = true
      }
      return !isHanging(payloads[index], machine)
    }
  }

  /// Whether the next step's place does not answer.
  private func isHanging(_ payload: Payload, _ machine: Machine) -> Bool {
    guard !machine.hanging.isEmpty else { return false }
    let delivery = payload.delivery
    return delivery.step.names.contains { name in
      guard let folder = try? PayloadNames.folder(of: name, delivery, machine) else { return false }
      return machine.place(of: folder).map(machine.hanging.contains) ?? false
    }
  }
}

extension Delivery.Step {
  /// The names that a step uses.
  var names: [Delivery.Name] {
    switch self {
    case .sync(let name), .syncDirectory(let name), .remove(let name): [name]
    case .rename(let name, let newName, _): [name, newName]
    case .copy(let name, let newName): [name, newName]
    case .writeReason, .choose, .chooseForCopy, .compare: [.destination]
    case .check, .inspect, .ask: [.hold]
    case .chooseReturnName: [.hold, .origin]
    case .findNames: [.hold, .origin, .destination]
    default: []
    }
  }
}
