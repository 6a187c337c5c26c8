internal import CLinux
internal import Dispatch
internal import DropEngine
internal import Synchronization

/// Runs work that may block, on threads that it starts when they are needed.
///
/// A job gets an idle thread, or else a new one; while `limit` threads are busy, further jobs wait in order. The thread
/// that became idle last is woken first, and a thread that stays idle for ten seconds ends. A pool without work
/// therefore has no threads, owns no descriptor and wakes nothing, so whatever must not wait behind other work can have
/// a pool of its own.
///
/// If the system has no thread to spare, jobs wait for the threads that the pool has, and the pool tries again every
/// ten milliseconds.
package final class BlockingPool: TaskExecutor {
  private enum Job: Sendable {
    /// Part of a task that prefers this pool.
    case task(UnownedJob)
    /// Part of a task that has no executor preference.
    case global(UnownedJob)
    case call(@Sendable () -> Void)
  }

  /// A thread of the pool, as others wake it.
  private final class Worker: Sendable {
    let wakeUp = DispatchSemaphore(value: 0)
  }

  private struct State {
    var jobs = Queue<Job>()
    /// The worker that became idle last is at the end.
    var idle: [Worker] = []
    /// All workers, idle or not.
    var threads = 0
    var isRetryScheduled = false
  }

  private static let retryDelay = Duration.milliseconds(10)

  private let state = Mutex(State())
  private let name: String
  private let limit: Int
  private let idleTime: DispatchTimeInterval?
  private let start: @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool
  let stuck = Atomic(0)

  /// - Parameters:
  ///   - name: What `top -H` shows for the pool's threads; at most 15 bytes.
  ///   - limit: How many threads the pool may have.
  package convenience init(name: String, limit: Int) {
    self.init(name: name, limit: limit, idleTime: .seconds(10), start: startThread(named:_:))
  }

  /// Runs work on threads of another pool, and never on more of them than `limit`.
  ///
  /// Work that blocks for ever takes no more than these threads from the pool.
  package convenience init(limit: Int, on pool: BlockingPool) {
    self.init(name: pool.name, limit: limit, idleTime: nil) { _, body in
      pool.perform(body)
      return true
    }
  }

  /// - Parameters:
  ///   - idleTime: How long a thread stays that has nothing to do; nil ends it at once.
  ///   - start: Starts a thread, and returns false if there is none to spare.
  init(
    name: String, limit: Int, idleTime: DispatchTimeInterval?,
    start: @escaping @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool
  ) {
    self.name = name
    self.limit = max(1, limit)
    self.idleTime = idleTime
    self.start = start
  }

  /// How many threads the pool has now.
  var threadCount: Int { state.withLock { $0.threads } }

  /// How many of them wait for a job.
  var idleCount: Int { state.withLock { $0.idle.count } }

  package func enqueue(_ job: consuming ExecutorJob) {
    add(.task(UnownedJob(job)))
  }

  /// Runs a job that belongs to no executor.
  func enqueueGlobal(_ job: UnownedJob) {
    add(.global(job))
  }

  /// Calls `body` on one of the pool's threads, and returns at once.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    add(.call(body))
  }

  /// Calls `body` on one of the pool's threads, and returns what it returns.
  nonisolated(nonsending) package func run<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: Result(catching: body)) }
    }
    return try result.get()
  }

  private func add(_ job: Job) {
    recruit(for: job)
  }

  /// Gets one more thread to look for jobs, `job` included; returns whether there was one.
  ///
  /// No job is left behind where there was none: a thread that is at work looks for the next job before it becomes idle.
  @discardableResult private func recruit(for job: Job? = nil) -> Bool {
    let (worker, isNew) = state.withLock { state -> (Worker?, Bool) in
      if let job { state.jobs.append(job) }
      if let worker = state.idle.popLast() { return (worker, false) }
      guard state.threads < limit else { return (nil, false) }
      state.threads += 1
      return (nil, true)
    }
    if let worker {
      worker.wakeUp.signal()
      return true
    }
    guard isNew else { return false }
    if start(name, { [self] in work() }) { return true }
    retryLater()
    return false
  }

  private func retryLater() {
    let isFirst = state.withLock { state in
      state.threads -= 1
      defer { state.isRetryScheduled = true }
      return !state.isRetryScheduled
    }
    guard isFirst else { return }
    TimerQueue.shared.schedule(at: monotonicNow() + Self.retryDelay) { [self] in
      let waiting = state.withLock { state in
        state.isRetryScheduled = false
        return state.jobs.count
      }
      for _ in 0..<waiting where !recruit() { return }
    }
  }

  private func work() {
    guard let idleTime else { return workWithoutIdling() }
    let worker = Worker()
    while true {
      let job = state.withLock { state in
        let job = state.jobs.popFirst()
        if job == nil { state.idle.append(worker) }
        return job
      }
      if let job {
        run(job)
      } else if !waitForJobs(worker, idleTime) {
        return
      }
    }
  }

  private func workWithoutIdling() {
    func nextJob() -> Job? {
      state.withLock { state in
        let job = state.jobs.popFirst()
        if job == nil { state.threads -= 1 }
        return job
      }
    }
    while let job = nextJob() { run(job) }
  }

  private func run(_ job: Job) {
    switch job {
    case .task(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    // A job is a pointer to what the runtime keeps about it.
    case .global(let job): unsafe clinux_run_job(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    case .call(let body): body()
    }
  }

  /// Returns false if `worker` has been idle for so long that it must end.
  private func waitForJobs(_ worker: Worker, _ idleTime: DispatchTimeInterval) -> Bool {
    if worker.wakeUp.wait(timeout: .now() + idleTime) == .success { return true }
    let isStillIdle = state.withLock { state in
      guard let index = state.idle.firstIndex(where: { $0 === worker }) else { return false }
      state.idle.remove(at: index)
      state.threads -= 1
      return true
    }
    // Otherwise it was recruited just as its time ran out, and its signal is on the way.
    if !isStillIdle { worker.wakeUp.wait() }
    return !isStillIdle
  }
}
