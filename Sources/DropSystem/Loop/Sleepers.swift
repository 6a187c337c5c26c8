internal import CLinux
internal import DropEngine
internal import Glibc
internal import Synchronization

/// One thread that sleeps until the earliest of many moments; made with the first.
final class Sleepers: Sendable {
  private struct State {
    var deadlines = DeadlineHeap<UInt>()
    var isRunning = false
  }

  private let state = Mutex(State())
  private let timer = clinux_timerfd_blocking()

  /// Calls `wake` with `key` at a moment of the monotonic clock; `wake` is the same for all.
  func add(_ key: UInt, at moment: Duration, wake: @escaping @Sendable (UInt) -> Void) {
    let isFirst = state.withLock { state in
      state.deadlines.push(moment, key, 0)
      setTimer(state)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { Thread { [self] in run(wake) }.start(name: "sleepers") }
  }

  private func run(_ wake: @Sendable (UInt) -> Void) {
    while true {
      var ticks: UInt64 = 0
      // Without a timer, such as where there were no descriptors left, it looks by itself.
      if unsafe read(timer, &ticks, 8) != 8 { usleep(10_000) }
      let due = state.withLock { state in
        var due: [UInt] = []
        let now = monotonicNow()
        while let entry = state.deadlines.pop(until: now) { due.append(entry.key) }
        setTimer(state)
        return due
      }
      for key in due { wake(key) }
    }
  }

  private func setTimer(_ state: borrowing State) {
    guard let (seconds, attoseconds) = state.deadlines.first?.components else { return }
    // Zeros would disarm it.
    _ = clinux_timerfd_set(timer, Int(max(0, seconds)), max(1, Int(attoseconds / 1_000_000_000)))
  }
}
