internal import CLinux
internal import DropEngine
internal import Glibc
internal import Synchronization

/// Runs tasks that ask for no executor, and ends their sleeps, in a program that is ours alone.
///
/// The runtime's own executor is libdispatch, which looks after its threads once a second for as long as the process
/// lives. Here an idle process sleeps.
package enum GlobalExecutor {
  private static let pool = BlockingPool(name: "tasks")
  private static let sleepers = Sleepers()

  /// Takes over from the runtime; before the first task other than the main one, and once.
  package static func install() {
    clinux_take_global_jobs()
  }

  fileprivate static func take(_ job: UInt) {
    // A job is a pointer to what the runtime keeps of it.
    pool.add(unsafe unsafeBitCast(job, to: UnownedJob.self)) { job in
      unsafe clinux_run_job(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    }
  }

  fileprivate static func take(_ job: UInt, after nanoseconds: UInt64) {
    sleepers.add(job, at: monotonicNow() + .nanoseconds(Int64(clamping: nanoseconds))) { take($0) }
  }
}

@_cdecl("dropsystem_take_job")
func takeJob(_ job: UnsafeMutableRawPointer) {
  GlobalExecutor.take(UInt(bitPattern: job))
}

@_cdecl("dropsystem_take_late_job")
func takeJob(after nanoseconds: UInt64, _ job: UnsafeMutableRawPointer) {
  GlobalExecutor.take(UInt(bitPattern: job), after: nanoseconds)
}

/// One thread that sleeps until the earliest of many moments; made with the first.
private final class Sleepers: Sendable {
  private struct State {
    var deadlines = DeadlineHeap<UInt>()
    var isRunning = false
  }

  private let state = Mutex(State())
  private let timer = clinux_timerfd_blocking()

  /// Calls `wake` with `job` at a moment of the monotonic clock; `wake` is the same for all.
  func add(_ job: UInt, at moment: Duration, wake: @escaping @Sendable (UInt) -> Void) {
    let isFirst = state.withLock { state in
      state.deadlines.push(moment, job, 0)
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
      for job in due { wake(job) }
    }
  }

  private func setTimer(_ state: borrowing State) {
    guard let (seconds, attoseconds) = state.deadlines.first?.components else { return }
    // Zeros would disarm it.
    _ = clinux_timerfd_set(timer, Int(max(0, seconds)), max(1, Int(attoseconds / 1_000_000_000)))
  }
}
