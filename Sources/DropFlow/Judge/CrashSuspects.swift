package import DropEngine
import DropSystem

/// Lets one payload at a time, over all zones, be examined or asked about that an earlier process may have died of.
///
/// If this process dies as well, it is known over which.
package actor CrashSuspects {
  private var isTaken = false
  /// The number of the turn that has been taken last.
  private var turn = 0
  private var limit: Task<Void, Never>?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  private let time: TimeSource

  package init(time: TimeSource) {
    self.time = time
  }

  /// Waits for a turn, which ends with ``leave(_:)``.
  ///
  /// - Parameter limit: After how long the next turn begins anyway: an examination that waits for a file system must not
  ///   delay other zones for ever.
  func take(limit: Duration? = nil) async -> Int {
    if isTaken { await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
    turn += 1
    let turn = turn
    self.limit = limit.map { limit in
      Task { if await time.sleep(for: limit) { leave(turn) } }
    }
    return turn
  }

  /// Ends a turn, unless the next one has begun.
  func leave(_ turn: Int) {
    guard turn == self.turn, isTaken else { return }
    limit?.cancel()
    limit = nil
    if waiting.isEmpty {
      isTaken = false
    } else {
      self.turn += 1
      waiting.removeFirst().resume()
    }
  }
}
