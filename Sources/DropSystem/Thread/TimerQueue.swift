internal import CLinux
internal import DropEngine
internal import Glibc
internal import Synchronization

/// Calls closures and resumes tasks at moments of the monotonic clock.
///
/// One thread sleeps until the earliest moment. `Task.sleep` would go through libdispatch, which from the first call on
/// wakes the process once a second, and ends the process if there is no descriptor left.
package final class TimerQueue: Sendable {
  package static let shared = TimerQueue()

  /// A closure that has been scheduled.
  package struct Timer: Hashable, Sendable {
    fileprivate let number: UInt
  }

  private enum Action: Sendable {
    case call(@Sendable () -> Void)
    case resume(CheckedContinuation<Bool, Never>)
  }

  private struct State {
    /// The moments of `pending`, and of timers that have been cancelled.
    var deadlines = DeadlineHeap<UInt>()
    var pending: [UInt: (deadline: Duration, action: Action)] = [:]
    var lastNumber: UInt = 0
    /// What the kernel's timer is set to.
    var alarm: Duration?
    var isRunning = false

    mutating func nextNumber() -> UInt {
      lastNumber += 1
      return lastNumber
    }

    /// Removes cancelled timers: all of them once there are many, and always those that would otherwise be next.
    mutating func removeCancelled() -> Duration? {
      if deadlines.count > 64, deadlines.count > pending.count * 2 { deadlines.keep { pending[$0.key] != nil } }
      return deadlines.first { pending[$0.key] != nil }
    }
  }

  private let state = Mutex(State())
  private let timer = clinux_timerfd_blocking()

  /// Calls `action` at `deadline`, on the queue's thread: it must not block.
  @discardableResult
  package func schedule(at deadline: Duration, _ action: @escaping @Sendable () -> Void) -> Timer {
    let number = state.withLock { $0.nextNumber() }
    add(number, .call(action), at: deadline)
    return Timer(number: number)
  }

  /// Forgets a closure that has not been called yet.
  package func cancel(_ timer: Timer) {
    _ = remove(timer.number)
  }

  /// Returns true after `duration`, or false as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) package func sleep(for duration: Duration) async -> Bool {
    let number = state.withLock { $0.nextNumber() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(number, .resume(continuation), at: monotonicNow() + duration)
        // The handler found nothing to end if the task was cancelled before.
        if Task.isCancelled { endSleep(number) }
      }
    } onCancel: {
      endSleep(number)
    }
  }

  /// How many timers are kept, cancelled or not.
  var count: Int { state.withLock { $0.deadlines.count } }

  /// How many timers are due after `deadline`.
  func pendingCount(after deadline: Duration) -> Int {
    state.withLock { state in state.pending.values.count { $0.deadline > deadline } }
  }

  private func add(_ number: UInt, _ action: Action, at deadline: Duration) {
    let isFirst = state.withLock { state in
      state.pending[number] = (deadline, action)
      state.deadlines.push(deadline, number, 0)
      setAlarm(&state)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { startEssentialThread(named: "timers") { [self] in run() } }
  }

  private func remove(_ number: UInt) -> Action? {
    state.withLock { state in
      guard let removed = state.pending.removeValue(forKey: number) else { return nil }
      setAlarm(&state)
      return removed.action
    }
  }

  private func endSleep(_ number: UInt) {
    if case .resume(let continuation)? = remove(number) { continuation.resume(returning: false) }
  }

  private func run() {
    while true {
      var ticks: UInt64 = 0
      // Without a timer, because no descriptor was left for one, it has to look every ten milliseconds.
      if unsafe read(timer, &ticks, 8) != 8 { usleep(10_000) }
      for action in takeDue() {
        switch action {
        case .call(let body): body()
        case .resume(let continuation): continuation.resume(returning: true)
        }
      }
    }
  }

  private func takeDue() -> [Action] {
    state.withLock { state in
      var due: [Action] = []
      let now = monotonicNow()
      while let entry = state.deadlines.pop(until: now) {
        if let (_, action) = state.pending.removeValue(forKey: entry.key) { due.append(action) }
      }
      state.alarm = nil
      setAlarm(&state)
      return due
    }
  }

  private func setAlarm(_ state: inout State) {
    let first = state.removeCancelled()
    if first == state.alarm { return }
    state.alarm = first
    guard let (seconds, attoseconds) = first?.components else {
      _ = clinux_timerfd_set(timer, 0, 0)
      return
    }
    // Zeros would disarm the timer.
    _ = clinux_timerfd_set(timer, Int(max(0, seconds)), max(1, Int(attoseconds / 1_000_000_000)))
  }
}
