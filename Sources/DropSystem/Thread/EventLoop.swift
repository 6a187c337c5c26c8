internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread in epoll(7), and the executor of the actor that owns what is waited for.
///
/// The thread sleeps until a descriptor is ready, the deadline has come, or a job was enqueued. Registering and
/// deadlines belong to the actor on the loop; only ``enqueue(_:)`` and ``perform(_:)`` may be called from elsewhere.
package final class EventLoop: SerialExecutor {
  private struct Inbox {
    var jobs: [Job] = []
    var isStopped = false
    /// Nobody waits for a bell any more: what comes now has to bring a thread.
    var isOver = false
  }

  private enum Job {
    case task(UnownedJob)
    case call(@Sendable () -> Void)
  }

  /// A struct: a function that is itself what a `Mutex` holds is wrapped once more by each look at it, and a call
  /// of it then goes through all the wraps, until the stack has no more room.
  private struct Callbacks {
    var readers: [Int32: @Sendable () -> Void] = [:]
    var deadlineReached: (@Sendable () -> Void)?
  }

  private let inbox = Mutex(Inbox())
  private let poll: FileDescriptor
  private let wake: FileDescriptor
  private let timer: FileDescriptor
  private let callbacks = Mutex(Callbacks())
  /// The loop's thread, as pthread_self(3) names it; 0 before it runs.
  private let thread = Atomic<UInt>(0)

  package init() throws(Errno) {
    poll = FileDescriptor(adopting: try retrying { clinux_epoll_create() })
    wake = FileDescriptor(adopting: try retrying { clinux_eventfd() })
    timer = FileDescriptor(adopting: try retrying { clinux_timerfd() })
    try check { clinux_epoll_add(poll.number, wake.number, 0) }
    try check { clinux_epoll_add(poll.number, timer.number, 0) }
  }

  /// Starts the thread; it ends after ``stop()``. What is enqueued then is still run, by threads that last as long as it
  /// does: whoever awaits the actor must not wait for ever.
  package func start(name: String) {
    // The loop lives as long as its thread: the retained reference is given back at the end of `run`.
    startEssentialThread(named: name) { [self] in run() }
  }

  package func stop() {
    inbox.withLock { $0.isStopped = true }
    ring()
  }

  /// Calls `body` on the loop whenever `descriptor` can be read, or has urgent news where `urgent` is set.
  package func watch(_ descriptor: Int32, urgent: Bool = false, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    callbacks.withLock { $0.readers[descriptor] = body }
    try check { clinux_epoll_add(poll.number, descriptor, urgent ? 1 : 0) }
  }

  package func unwatch(_ descriptor: Int32) {
    callbacks.withLock { $0.readers[descriptor] = nil }
    _ = clinux_epoll_remove(poll.number, descriptor)
  }

  /// What to call when the deadline has come.
  package func onDeadline(_ body: @escaping @Sendable () -> Void) {
    callbacks.withLock { $0.deadlineReached = body }
  }

  /// Sets the one deadline, on the monotonic clock; nil takes it away.
  package func setDeadline(_ deadline: Duration?) {
    guard let deadline else {
      _ = clinux_timerfd_set(timer.number, 0, 0)
      return
    }
    let (seconds, attoseconds) = deadline.components
    // Zeros would disarm the timer.
    _ = clinux_timerfd_set(timer.number, Int(max(0, seconds)), max(1, Int(attoseconds / 1_000_000_000)))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    add(.task(UnownedJob(job)))
  }

  /// Calls `body` on the loop, after everything that was enqueued before; returns at once.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    add(.call(body))
  }

  /// Lets everything that was enqueued before go first, and what the kernel has to say. `Task.yield` would go by way of libdispatch.
  nonisolated(nonsending) package func turn() async {
    await withCheckedContinuation { continuation in perform { continuation.resume() } }
  }

  /// Rings for the first only: once it is taken, the next one is a first again.
  private func add(_ job: Job) {
    let (wasEmpty, wasOver) = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isOver = false }
      return (inbox.jobs.count == 1, inbox.isOver)
    }
    if wasOver { return startEssentialThread(named: "rest") { [self] in runRest() } }
    if wasEmpty { ring() }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  private func ring() {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(wake.number, &one, 8)
  }

  /// Lets the actor's code be entered from the loop's own callbacks.
  package func checkIsolated() {
    precondition(thread.load(ordering: .relaxed) == UInt(pthread_self()), "not on the event loop's thread")
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var ready = [Int32](repeating: -1, count: 16)
    while true {
      let count = unsafe clinux_epoll_wait(poll.number, &ready, Int32(ready.count))
      for descriptor in ready.prefix(Int(count)) {
        if descriptor == wake.number || descriptor == timer.number {
          var ticks: UInt64 = 0
          _ = unsafe Glibc.read(descriptor, &ticks, 8)
          if descriptor == timer.number { callbacks.withLock { $0.deadlineReached }?() }
        } else {
          callbacks.withLock { $0.readers[descriptor] }?()
        }
      }
      runJobs()
      if isOver() { return }
    }
  }

  /// Runs what comes after the end. Nothing of the kernel's is told any more.
  private func runRest() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    repeat { runJobs() } while !isOver()
  }

  private func isOver() -> Bool {
    inbox.withLock { inbox in
      inbox.isOver = inbox.isStopped && inbox.jobs.isEmpty
      return inbox.isOver
    }
  }

  /// Runs what is there by now, and no more: what it asks for waits until the kernel was asked again, or work that
  /// always asks for more would keep events and deadlines away.
  private func runJobs() {
    let jobs = inbox.withLock { inbox in
      defer { inbox.jobs = [] }
      return inbox.jobs
    }
    for job in jobs {
      switch job {
      case .task(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
      case .call(let body): body()
      }
    }
  }
}

/// The clock that everything here is measured by: monotonic, so that nobody can set it.
package func monotonicNow() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
