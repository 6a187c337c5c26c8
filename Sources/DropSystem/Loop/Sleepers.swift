internal import CLinux
internal import DropEngine
internal import Glibc
internal import Synchronization

/// One thread that sleeps until the earliest of many moments; made with the first.
final class Sleepers: Sendable {
  private struct State {
    var deadlines = DeadlineHeap<UInt>()
    /// Those among them that nobody waits for any more.
    var cancelled: Set<UInt> = []
    var isRunning = false

    /// Takes out the cancelled ones at the front, so that nobody is woken for them, and all of them once they are many.
    mutating func dropCancelled() {
      if cancelled.count > 64, cancelled.count * 2 > deadlines.count {
        deadlines.keep { !cancelled.contains($0.key) }
        cancelled = []
      }
      while let entry = deadlines.next, cancelled.remove(entry.key) != nil {
        _ = deadlines.pop(until: entry.deadline)
      }
    }
  }

  private let state = Mutex(State())
  private let timer = clinux_timerfd_blocking()

  /// Calls `wake` with `key` at a moment of the monotonic clock; `wake` is the same for all.
  func add(_ key: UInt, at moment: Duration, wake: @escaping @Sendable (UInt) -> Void) {
    let isFirst = state.withLock { state in
      state.deadlines.push(moment, key, 0)
      setTimer(&state)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { Thread { [self] in run(wake) }.start(name: "sleepers") }
  }

  /// Nobody waits for it any more.
  func remove(_ key: UInt) {
    state.withLock { state in
      state.cancelled.insert(key)
      setTimer(&state)
    }
  }

  /// How many moments are kept.
  var count: Int { state.withLock { $0.deadlines.count } }

  private func run(_ wake: @Sendable (UInt) -> Void) {
    while true {
      var ticks: UInt64 = 0
      // Without a timer, such as where there were no descriptors left, it looks by itself.
      if unsafe read(timer, &ticks, 8) != 8 { usleep(10_000) }
      let due = state.withLock { state in
        var due: [UInt] = []
        let now = monotonicNow()
        while let entry = state.deadlines.pop(until: now) {
          if state.cancelled.remove(entry.key) == nil { due.append(entry.key) }
        }
        setTimer(&state)
        return due
      }
      for key in due { wake(key) }
    }
  }

  private func setTimer(_ state: inout State) {
    state.dropCancelled()
    guard let (seconds, attoseconds) = state.deadlines.first?.components else {
      _ = clinux_timerfd_set(timer, 0, 0)
      return
    }
    // Zeros would disarm it.
    _ = clinux_timerfd_set(timer, Int(max(0, seconds)), max(1, Int(attoseconds / 1_000_000_000)))
  }
}
