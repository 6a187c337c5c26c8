internal import Dispatch
internal import DropEngine
internal import Synchronization

/// Calls closures one after another, in order, on a pool's threads.
///
/// The queue owns no thread: a closure that finds it empty starts a job on the pool, and the job ends once the queue is
/// empty again. A dispatch queue would do the same, but a process that has used one is woken by libdispatch once a
/// second for as long as it lives.
package final class SerialQueue: Sendable {
  private struct State {
    var waiting = Queue<@Sendable () -> Void>()
    /// Whether a job on the pool takes from `waiting`.
    var isDraining = false
  }

  private let state = Mutex(State())
  private let pool: BlockingPool

  package init(on pool: BlockingPool) {
    self.pool = pool
  }

  /// A queue with a thread of its own while it has work, so that it never waits for others.
  ///
  /// - Parameter name: What `top -H` shows; at most 15 bytes.
  package convenience init(name: String) {
    self.init(on: BlockingPool(name: name, limit: 1))
  }

  /// Adds `body`, and returns at once.
  package func enqueue(_ body: @escaping @Sendable () -> Void) {
    let startsDraining = state.withLock { state in
      state.waiting.append(body)
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if startsDraining { pool.perform { [self] in drain() } }
  }

  /// Blocks the caller until everything that has been added so far has been called.
  package func flush() {
    reached().wait()
  }

  /// Does the same, but returns false if it takes longer than `limit`.
  package func flush(within limit: Duration) -> Bool {
    let (seconds, attoseconds) = min(limit, .seconds(1_000_000)).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    return reached().wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
  }

  private func reached() -> DispatchSemaphore {
    let semaphore = DispatchSemaphore(value: 0)
    enqueue { semaphore.signal() }
    return semaphore
  }

  private func drain() {
    while let body = next() { body() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.isDraining = false }
      return next
    }
  }
}
