internal import Synchronization

// Waiting for work that may hang in the kernel, where nothing can interrupt it.

/// Returns what `body` returns, or nil as soon as `end` returns.
///
/// `body` is not interrupted: it goes on, and its result is dropped. `end` is cancelled once `body` has returned.
/// Cancelling the task does not shorten the wait.
nonisolated(nonsending) package func result<Value: Sendable>(
  of body: @escaping @Sendable () async -> Value, until end: @escaping @Sendable () async -> Void
) async -> Value? {
  let race = Race<Value>()
  let ending = Task {
    await end()
    race.finish(with: nil)
  }
  Task {
    let value = await body()
    ending.cancel()
    race.finish(with: value)
  }
  return await race.result
}

/// Does the same, with a limit on the time.
nonisolated(nonsending) package func result<Value: Sendable>(
  of body: @escaping @Sendable () async -> Value, within limit: Duration
) async -> Value? {
  await result(of: body) { await TimerQueue.shared.sleep(for: limit) }
}

/// The result of whichever task finishes first.
private final class Race<Value: Sendable>: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Value?, Never>)
    case finished(Value?)
    case over
  }

  private let state = Mutex(State.running)

  func finish(with value: Value?) {
    let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      switch state {
      case .running:
        state = .finished(value)
        return nil
      case .awaited(let waiter):
        state = .over
        return waiter
      case .finished, .over: return nil
      }
    }
    waiter?.resume(returning: value)
  }

  var result: Value? {
    get async {
      await withCheckedContinuation { waiter in
        let value = state.withLock { state -> Value?? in
          guard case .finished(let value) = state else {
            state = .awaited(waiter)
            return nil
          }
          state = .over
          return .some(value)
        }
        if let value { waiter.resume(returning: value) }
      }
    }
  }
}
