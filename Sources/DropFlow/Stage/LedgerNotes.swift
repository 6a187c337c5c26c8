import DropEngine
import DropSystem
internal import Synchronization

/// Writes to the ledger in the background what staging has to note: withdrawn payloads, pauses, originals.
///
/// While the ledger has no room, notes wait in order: a later one says the same as an earlier one, or something newer.
final class LedgerNotes: Sendable {
  /// How many notes wait while the ledger has no room; senders could cause any number.
  private static let overdueLimit = 65_536

  private struct Note: Sendable {
    let changes: [LedgerChange]
    let done: @Sendable () -> Void
  }

  private struct State {
    var overdue: [Note] = []
    var isLimitLogged = false
  }

  let ledger: Ledger
  private let log: any FlowLog
  private let time: TimeSource
  private let state = Mutex(State())
  /// Called once the ledger cannot be used any more.
  let failed: @Sendable (LedgerError) -> Void

  init(
    _ ledger: Ledger, log: any FlowLog, time: TimeSource, failed: @escaping @Sendable (LedgerError) -> Void
  ) {
    self.ledger = ledger
    self.log = log
    self.time = time
    self.failed = failed
  }

  /// Writes changes, and calls `done` once they are on the disk; returns at once.
  func write(_ changes: [LedgerChange], then done: @escaping @Sendable () -> Void = {}) {
    let note = Note(changes: changes, done: done)
    guard state.withLock({ $0.overdue.isEmpty }) else { return writeLater(note) }
    Task {
      if await !commit([note]) { writeLater(note) }
    }
  }

  private func writeLater(_ note: Note) {
    let isFirst = state.withLock { state in
      guard state.overdue.count < Self.overdueLimit else {
        defer { state.isLimitLogged = true }
        if !state.isLimitLogged {
          log.warning(
            "the ledger has had no room for too long: from now on it lacks what happens in the zones", zone: "",
            id: nil, location: nil)
        }
        return false
      }
      state.overdue.append(note)
      return state.overdue.count == 1
    }
    if isFirst { Task { await writeOverdue() } }
  }

  private func writeOverdue() async {
    var backoff = Backoff(limit: .seconds(30))
    while true {
      await time.sleep(for: backoff.next())
      let batch = state.withLock { $0.overdue }
      guard await commit(batch) else { continue }
      backoff.reset()
      let isOver = state.withLock { state in
        state.overdue.removeFirst(batch.count)
        state.isLimitLogged = false
        return state.overdue.isEmpty
      }
      if isOver { return }
    }
  }

  /// Returns false if the ledger has no room for them now.
  private func commit(_ notes: [Note]) async -> Bool {
    do throws(LedgerError) {
      try await ledger.commit(notes.flatMap(\.changes))
      for note in notes { note.done() }
    } catch {
      switch error {
      case .noRoom, .locked: return false
      case .damaged: failed(error)
      case .newerVersion, .failed: break
      }
    }
    return true
  }
}
