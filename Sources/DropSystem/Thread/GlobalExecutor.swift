internal import CLinux

/// Runs tasks that have no executor preference, and ends their sleeps, in a program that is ours alone.
///
/// The runtime's own executor is libdispatch, which checks on its threads once a second for as long as the process
/// lives. With this one, an idle process sleeps.
package enum GlobalExecutor {
  private static let pool = BlockingPool(name: "tasks", limit: 64)

  /// Takes over from the runtime. Call it once, before the first task other than the main one.
  package static func install() {
    clinux_take_global_jobs()
  }

  fileprivate static func enqueue(_ job: UInt) {
    // A job is a pointer to what the runtime keeps about it.
    pool.enqueueGlobal(unsafe unsafeBitCast(job, to: UnownedJob.self))
  }

  fileprivate static func enqueue(_ job: UInt, after nanoseconds: UInt64) {
    let deadline = monotonicNow() + .nanoseconds(Int64(clamping: nanoseconds))
    TimerQueue.shared.schedule(at: deadline) { enqueue(job) }
  }
}

@_cdecl("dropsystem_take_job")
func takeJob(_ job: UnsafeMutableRawPointer) {
  GlobalExecutor.enqueue(UInt(bitPattern: job))
}

@_cdecl("dropsystem_take_late_job")
func takeJob(after nanoseconds: UInt64, _ job: UnsafeMutableRawPointer) {
  GlobalExecutor.enqueue(UInt(bitPattern: job), after: nanoseconds)
}
