internal import Dispatch
internal import Synchronization

/// Threads for somebody else's code, which may block as long as it likes: apart from those that the daemon itself runs
/// on, and made as they are needed.
package final class ThreadPool: TaskExecutor {
  /// Beyond it work waits for a thread.
  private static let threadLimit = 512
  /// How long a thread stays that has nothing to do.
  private static let idleTime = DispatchTimeInterval.seconds(10)

  private struct State {
    var jobs: [UnownedJob] = []
    var idle = 0
    var threads = 0
  }

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)
  private let name: String

  /// - Parameter name: What `top -H` shows; 15 bytes at most.
  package init(name: String) {
    self.name = name
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isShort = state.withLock { state in
      state.jobs.append(job)
      guard state.jobs.count > state.idle, state.threads < Self.threadLimit else { return false }
      state.threads += 1
      state.idle += 1
      return true
    }
    work.signal()
    if isShort { startWorker() }
  }

  /// For work that is queued, and counted already as a thread; where none is to be had it waits for another one.
  private func startWorker() {
    let thread = Thread { [self] in run() }
    if thread.startIfPossible(name: name) { return }
    let isAlone = state.withLock { state in
      if state.threads == 1 { return true }
      state.threads -= 1
      state.idle -= 1
      return false
    }
    if isAlone { thread.start(name: name) }
  }

  /// Counted as idle from its making to its end, but for the time of a job.
  private func run() {
    while true {
      let isOver = work.wait(timeout: .now() + Self.idleTime) == .timedOut
      let (job, ends) = state.withLock { state -> (UnownedJob?, Bool) in
        if !state.jobs.isEmpty, !isOver {
          state.idle -= 1
          return (state.jobs.removeFirst(), false)
        }
        // A job may have come with the end of the wait: its signal is still there.
        guard isOver, state.jobs.count < state.idle else { return (nil, false) }
        state.idle -= 1
        state.threads -= 1
        return (nil, true)
      }
      if ends { return }
      guard let job else { continue }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      state.withLock { $0.idle += 1 }
    }
  }
}
