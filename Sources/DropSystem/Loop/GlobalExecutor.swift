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
