import DropEngine

/// The ledger's tables. A commit is on the disk as a whole or not at all, so there is only one version.
struct SimulatedLedger {
  private(set) var rows: [Drop] = []
  private(set) var receipts: [ReceiptRecord] = []
  private(set) var attempts: [AttemptCount] = []
  private(set) var originals: [CopiedOriginal] = []

  func row(of id: DropID) -> Drop? { rows.first { $0.id == id } }

  /// The last receipt of an id is its outcome.
  func outcome(of id: DropID) -> ReceiptRecord? { receipts.last { $0.id == id } }

  mutating func commit(_ changes: [LedgerChange]) {
    for change in changes { write(change) }
  }

  private mutating func write(_ change: LedgerChange) {
    switch change {
    case .put(let drop):
      if let index = index(of: drop.id) { rows[index] = drop } else { rows.append(drop) }
    case .remove(let id): if let index = index(of: id) { rows.remove(at: index) }
    case .removeIfState(let id, let state):
      if let index = index(of: id), rows[index].state == state { rows.remove(at: index) }
    case .setStarts(let starts, let id, let attempts):
      if let index = index(of: id), rows[index].state == .claiming, rows[index].attempts == attempts {
        rows[index].starts = starts
      }
    case .addReceipt(let record): receipts.append(record)
    case .putAttempts(let count, _):
      removeAttempts(count)
      attempts.append(count)
    case .removeAttempts(let count): removeAttempts(count)
    case .putOriginal(let note): put(note)
    case .putCopiedOriginal(let note):
      if let known = original(note.zone, note.location), note.id < originals[known].id { return }
      put(note)
    case .removeOriginal(let zone, let location, let id):
      if let index = original(zone, location), id == nil || originals[index].id == id { originals.remove(at: index) }
    case .setMeta, .setMountPoint: break
    }
  }

  private func index(of id: DropID) -> Int? { rows.firstIndex { $0.id == id } }

  private func original(_ zone: String, _ location: RawPath) -> Int? {
    originals.firstIndex { $0.zone == zone && $0.location == location }
  }

  private mutating func put(_ note: CopiedOriginal) {
    if let index = original(note.zone, note.location) { originals[index] = note } else { originals.append(note) }
  }

  private mutating func removeAttempts(_ count: AttemptCount) {
    attempts.removeAll { $0.zone == count.zone && $0.inode == count.inode && $0.birth == count.birth }
  }
}
