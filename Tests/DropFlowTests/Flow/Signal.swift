import DropSystem
import Synchronization

/// Something that happens once, and that a test waits for.
final class Signal: Sendable {
  private let state = Mutex<(isGiven: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

  func give() {
    let waiters = state.withLock { state in
      state.isGiven = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isGiven = state.withLock { state in
        if !state.isGiven { state.waiters.append(continuation) }
        return state.isGiven
      }
      if isGiven { continuation.resume() }
    }
  }

  /// Waits until the task is cancelled.
  static func cancellation() async {
    let signal = Signal()
    await withTaskCancellationHandler {
      await signal.wait()
    } onCancel: {
      signal.give()
    }
  }
}

/// Waits until something holds of which nobody tells; the suite's time limit ends a wait that is in vain.
func eventually(_ condition: () async throws -> Bool) async rethrows {
  while try await !condition(), !Task.isCancelled { await TimerQueue.shared.sleep(for: .milliseconds(1)) }
}
