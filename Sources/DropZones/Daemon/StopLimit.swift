import DropSystem
import Synchronization

/// Ends the process if it does not end in time after a request to stop: a thread that waits for a file system cannot be
/// interrupted.
///
/// The rows in the ledger say what the next start has to do.
enum StopLimit {
  private static let limit = Duration.seconds(9)
  private static let hasStarted = Atomic(false)

  static func start() {
    guard !hasStarted.exchange(true, ordering: .relaxed) else { return }
    TimerQueue.shared.schedule(at: monotonicNow() + limit) {
      Log.warning(
        "could not stop in time, probably because a file system does not answer: ending now; the next start continues")
      Log.shared.flush(within: .milliseconds(500))
      endProcessNow(with: 0)
    }
  }
}
