internal import Synchronization

/// Waits in a task that needs no thread meanwhile.
///
/// `Task.sleep` goes by way of libdispatch, whatever the executor: from its first call on that wakes the process once a
/// second, and where there is no descriptor left for it then it ends the process.
package enum Sleep {
  private struct State {
    var last: UInt = 0
    var waiting: [UInt: (continuation: CheckedContinuation<Bool, Never>, until: Duration)] = [:]
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
        let until = monotonicNow() + duration
        state.withLock { $0.waiting[id] = (continuation, until) }
        // A cancellation that came before found nobody to tell.
        if Task.isCancelled { return end(id, isOver: false) }
        sleepers.add(id, at: until) { end($0, isOver: true) }
      }
    } onCancel: {
      end(id, isOver: false)
    }
  }

  private static func end(_ id: UInt, isOver: Bool) {
    guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    if !isOver { sleepers.remove(id) }
    waiting.continuation.resume(returning: isOver)
  }

  /// How many wait longer than that.
  static func waiting(longerThan duration: Duration) -> Int {
    let moment = monotonicNow() + duration
    return state.withLock { state in state.waiting.values.count { $0.until > moment } }
  }
}
