internal import Synchronization

// Calls that may never return, such as statx(2) on a server that has died: no signal ends them.

extension BlockingPool {
  /// How many calls have not returned in time and still occupy a thread.
  package var stuckCount: Int { stuck.load(ordering: .relaxed) }

  /// Calls `body` on one of the pool's threads, and returns what it returns, or nil if it takes longer than `limit`.
  ///
  /// A call that has not begun by then never begins. One that has begun cannot be stopped: its thread is left to it and
  /// counts towards the pool's limit and ``stuckCount`` until the call returns, and its result is dropped.
  /// Cancelling the task does not shorten the wait.
  nonisolated(nonsending) package func answer<Value: Sendable, Failure: Error>(
    within limit: Duration, _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value? {
    let result = await withCheckedContinuation { continuation in
      let call = TimedCall<Result<Value, Failure>>(continuation)
      let timer = TimerQueue.shared.schedule(at: monotonicNow() + limit) { [self] in
        if call.giveUp() { stuck.add(1, ordering: .relaxed) }
      }
      perform { [self] in
        guard call.begin() else { return }
        if call.end(Result(catching: body)) {
          TimerQueue.shared.cancel(timer)
        } else {
          stuck.subtract(1, ordering: .relaxed)
        }
      }
    }
    return try result?.get()
  }
}

/// A call that someone waits for, but not for ever.
private final class TimedCall<Answer: Sendable>: Sendable {
  private struct State {
    var hasBegun = false
    /// Nil once the caller has its answer, or has given up.
    var caller: CheckedContinuation<Answer?, Never>?
  }

  private let state: Mutex<State>

  init(_ caller: CheckedContinuation<Answer?, Never>) {
    state = Mutex(State(caller: caller))
  }

  /// Returns false if the caller has given up, and the call must not begin.
  func begin() -> Bool {
    state.withLock { state in
      state.hasBegun = true
      return state.caller != nil
    }
  }

  /// Answers the caller; returns false if the caller has given up.
  func end(_ answer: Answer) -> Bool {
    let caller = state.withLock { $0.caller.take() }
    caller?.resume(returning: answer)
    return caller != nil
  }

  /// Lets the caller go on without an answer; returns whether the call is under way.
  func giveUp() -> Bool {
    let (caller, hasBegun) = state.withLock { ($0.caller.take(), $0.hasBegun) }
    caller?.resume(returning: nil)
    return caller != nil && hasBegun
  }
}
