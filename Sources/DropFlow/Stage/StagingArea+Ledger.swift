import DropEngine
import DropSystem

/// What is written down here and not by a flow: withdrawn receipts, pauses, notes of what was taken.
extension StagingArea {
  /// How many wait while the ledger has no room; senders could make any number.
  private static let overdueLimit = 65_536

  struct LedgerWrite {
    let changes: [LedgerChange]
    let done: @Sendable (isolated StagingArea) -> Void
  }

  /// Writes in the background, and calls `done` once it is on the disk. Where the ledger has no room it is written when
  /// there is some.
  func write(
    _ changes: [LedgerChange], then done: @escaping @Sendable (isolated StagingArea) -> Void = { _ in }
  ) {
    let write = LedgerWrite(changes: changes, done: done)
    guard overdueWrites.isEmpty else { return writeLater(write) }
    Task {
      if await !self.commit([write]) { self.writeLater(write) }
    }
  }

  private func writeLater(_ write: LedgerWrite) {
    guard overdueWrites.count < Self.overdueLimit else {
      if !isOverdueLimitNamed {
        log.warning(
          "the ledger has had no room for too long: what goes on now is not noted", zone: "", id: nil, location: nil)
      }
      isOverdueLimitNamed = true
      return
    }
    overdueWrites.append(write)
    if overdueWrites.count == 1 { Task { await self.writeOverdue() } }
  }

  /// In order: what is written later says the same or something newer of a thing.
  private func writeOverdue() async {
    var back = Duration.seconds(1)
    while !overdueWrites.isEmpty {
      await TimerQueue.shared.sleep(for: back)
      let batch = overdueWrites
      if await commit(batch) {
        overdueWrites.removeFirst(batch.count)
        isOverdueLimitNamed = false
        back = .seconds(1)
      } else {
        back = min(back * 2, .seconds(30))
      }
    }
  }

  /// False where there is no room for them now.
  private func commit(_ writes: [LedgerWrite]) async -> Bool {
    do throws(LedgerError) {
      try await ledger.commit(writes.flatMap(\.changes))
      for write in writes { write.done(self) }
    } catch {
      switch error {
      case .noRoom, .locked: return false
      case .damaged: isFailed?(error)
      case .newerVersion, .failed: break
      }
    }
    return true
  }
}
