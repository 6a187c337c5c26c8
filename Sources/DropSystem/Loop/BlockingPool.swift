internal import Dispatch
internal import DropEngine
internal import Synchronization

/// Threads for work that waits for disks and processes, apart from those that must never wait.
///
/// A thread is made where none is free; where none can be made, work waits for one of those there are. A few stay,
/// asleep until they are wanted: an idle pool wakes nobody.
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
  private let start: @Sendable (Thread, _ name: String) -> Bool

  /// - Parameters:
  ///   - name: What `top -H` shows; 15 bytes at most.
  ///   - kept: How many threads stay when there is nothing to do; at least one does.
  ///   - limit: Beyond it work waits for a thread.
  package convenience init(name: String, keeping kept: Int = 8, limit: Int = 64) {
    self.init(name: name, keeping: kept, limit: limit) { $0.startIfPossible(name: $1) }
  }

  /// - Parameter start: Starts a thread if there is one to be had.
  init(name: String, keeping kept: Int, limit: Int, start: @escaping @Sendable (Thread, _ name: String) -> Bool) {
    self.name = name
    self.kept = max(1, kept)
    self.limit = limit
    self.start = start
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
    case .thread: startWorker(run)
    }
  }

  /// For work that is queued, and counted already as a thread.
  private func startWorker(_ run: @escaping @Sendable (UnownedJob) -> Void) {
    let thread = Thread { [self] in work(run) }
    if start(thread, name) { return }
    let isAlone = state.withLock { state in
      if state.threads == 1 { return true }
      // One that is at work looks for more before it sleeps or ends.
      state.threads -= 1
      return false
    }
    if isAlone { thread.start(name: name) }
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
