internal import Synchronization

/// Waits in a task that needs no thread meanwhile.
///
/// `Task.sleep` goes by way of libdispatch, whatever the executor: from its first call on that wakes the process once a
/// second, and where there is no descriptor left for it then it ends the process.
package enum Sleep {
  private struct State {
    var last: UInt = 0
    var waiting: [UInt: CheckedContinuation<Bool, Never>] = [:]
  }

  private static let state = Mutex(State())
  private static let sleepers = Sleepers()

  /// Returns true once `duration` is over, on the monotonic clock, and false as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) package static func wait(_ duration: Duration) async -> Bool {
    let id = state.withLock { state in
      state.last += 1
      return state.last
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiting[id] = continuation }
        // A cancellation that came before found nobody to tell.
        if Task.isCancelled { return end(id, isOver: false) }
        sleepers.add(id, at: monotonicNow() + duration) { end($0, isOver: true) }
      }
    } onCancel: {
      end(id, isOver: false)
    }
  }

  private static func end(_ id: UInt, isOver: Bool) {
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: isOver)
  }
}
