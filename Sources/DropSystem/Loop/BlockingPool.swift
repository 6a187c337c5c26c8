internal import Dispatch
internal import DropEngine
internal import Synchronization

/// Threads for work that waits for disks and processes, apart from those that must never wait.
///
/// A thread is made where none is free. A few stay, asleep until they are wanted: an idle pool wakes nobody.
package final class BlockingPool: TaskExecutor {
  private struct State {
    var jobs = Queue<UnownedJob>()
    var sleeping = 0
    var threads = 0
  }

  private let state = Mutex(State())
  private let alarm = DispatchSemaphore(value: 0)
  private let name: String
  private let kept: Int
  private let limit: Int

  /// - Parameters:
  ///   - name: What `top -H` shows; 15 bytes at most.
  ///   - kept: How many threads stay when there is nothing to do.
  ///   - limit: Beyond it work waits for a thread.
  package init(name: String, keeping kept: Int = 8, limit: Int = 64) {
    self.name = name
    self.kept = kept
    self.limit = limit
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    add(job) { [self] job in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// The same for a job that `run` knows how to run; all of a pool's are run by the same.
  func add(_ job: UnownedJob, run: @escaping @Sendable (UnownedJob) -> Void) {
    enum Wanted { case nobody, sleeper, thread }
    let wanted = state.withLock { state -> Wanted in
      state.jobs.append(job)
      if state.sleeping > 0 {
        state.sleeping -= 1
        return .sleeper
      }
      guard state.threads < limit else { return .nobody }
      state.threads += 1
      return .thread
    }
    switch wanted {
    case .nobody: break
    case .sleeper: alarm.signal()
    case .thread: Thread { [self] in work(run) }.start(name: name)
    }
  }

  private func work(_ run: @Sendable (UnownedJob) -> Void) {
    while true {
      let (job, ends) = state.withLock { state -> (UnownedJob?, Bool) in
        if let job = state.jobs.popFirst() { return (job, false) }
        if state.sleeping < kept {
          state.sleeping += 1
          return (nil, false)
        }
        state.threads -= 1
        return (nil, true)
      }
      if ends { return }
      if let job { run(job) } else { alarm.wait() }
    }
  }
}
