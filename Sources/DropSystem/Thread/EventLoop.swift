internal import CLinux
package import DropEngine
internal import Glibc
internal import Synchronization

/// One thread that waits with epoll(7), and the executor of the actor whose descriptors it waits for.
///
/// The thread sleeps until a descriptor is ready, the deadline has come, or a job is enqueued. Only the actor on the
/// loop watches descriptors and sets deadlines; ``enqueue(_:)``, ``perform(_:)`` and ``stop()`` may be called on any
/// thread.
package final class EventLoop: SerialExecutor {
  private struct Inbox {
    var jobs: [Job] = []
    var isStopped = false
    /// The loop's thread has ended: a job that comes now needs a new thread.
    var isOver = false
  }

  private enum Job {
    case task(UnownedJob)
    case call(@Sendable () -> Void)
  }

  /// A struct, because a closure that is itself the value of a `Mutex` is wrapped once more at each access, until a call
  /// through all the wrappers overflows the stack.
  private struct Callbacks {
    var watchers: [Int32: @Sendable (DescriptorEvents) -> Void] = [:]
    var deadlineReached: (@Sendable () -> Void)?
    /// What has been set, if time is not the kernel's.
    var deadline: Duration?
  }

  private let time: TimeSource
  private let inbox = Mutex(Inbox())
  private let poll: FileDescriptor
  private let wake: FileDescriptor
  private let timer: FileDescriptor
  private let callbacks = Mutex(Callbacks())
  /// What pthread_self(3) returns on the loop's thread; 0 before it runs.
  private let thread = Atomic<UInt>(0)

  /// - Parameter time: What deadlines are measured by.
  package init(time: TimeSource = .system) throws(Errno) {
    self.time = time
    poll = FileDescriptor(adopting: try retrying { clinux_epoll_create() })
    wake = FileDescriptor(adopting: try retrying { clinux_eventfd() })
    timer = FileDescriptor(adopting: try retrying { clinux_timerfd() })
    for number in [wake.number, timer.number] {
      try check { clinux_epoll_add(poll.number, number, DescriptorEvents.input.rawValue) }
    }
  }

  /// Starts the thread, which ends after ``stop()``.
  ///
  /// Jobs that are enqueued later still run, on threads that end with them: a task that awaits the actor must not wait
  /// for ever.
  ///
  /// - Parameter name: What `top -H` shows; at most 15 bytes.
  package func start(name: String) {
    startEssentialThread(named: name) { [self] in run() }
  }

  package func stop() {
    inbox.withLock { $0.isStopped = true }
    wakeThread()
  }

  /// Calls `body` on the loop for as long as one of `events` holds for `descriptor`, or its other end has gone.
  package func watch(
    _ descriptor: Int32, for events: DescriptorEvents = .input, _ body: @escaping @Sendable (DescriptorEvents) -> Void
  ) throws(Errno) {
    callbacks.withLock { $0.watchers[descriptor] = body }
    do throws(Errno) {
      try check { clinux_epoll_add(poll.number, descriptor, events.rawValue) }
    } catch {
      callbacks.withLock { $0.watchers[descriptor] = nil }
      throw error
    }
  }

  /// Changes the events that a descriptor is watched for.
  package func watch(_ descriptor: Int32, insteadFor events: DescriptorEvents) {
    // This fails only for a descriptor that is not watched.
    _ = clinux_epoll_change(poll.number, descriptor, events.rawValue)
  }

  package func unwatch(_ descriptor: Int32) {
    callbacks.withLock { $0.watchers[descriptor] = nil }
    _ = clinux_epoll_remove(poll.number, descriptor)
  }

  /// Sets the closure that is called when the deadline has come.
  package func onDeadline(_ body: @escaping @Sendable () -> Void) {
    callbacks.withLock { $0.deadlineReached = body }
  }

  /// Sets the only deadline, on the monotonic clock; nil removes it.
  package func setDeadline(_ deadline: Duration?) {
    if let schedule = time.schedule { return setDeadline(deadline, schedule) }
    guard let deadline else {
      _ = clinux_timerfd_set(timer.number, 0, 0)
      return
    }
    let (seconds, attoseconds) = deadline.components
    // Zeros would disarm the timer.
    _ = clinux_timerfd_set(timer.number, Int(max(0, seconds)), max(1, Int(attoseconds / 1_000_000_000)))
  }

  /// Does the same with a clock that is not the kernel's.
  private func setDeadline(_ deadline: Duration?, _ schedule: TimeSource.Schedule) {
    callbacks.withLock { $0.deadline = deadline }
    guard let deadline else { return }
    schedule(deadline) { [weak self] in
      self?.perform { [weak self] in
        let reached = self?.callbacks.withLock { callbacks -> (@Sendable () -> Void)? in
          // A deadline that has been replaced is not reached.
          guard callbacks.deadline == deadline else { return nil }
          callbacks.deadline = nil
          return callbacks.deadlineReached
        }
        reached?()
      }
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    add(.task(UnownedJob(job)))
  }

  /// Calls `body` on the loop, after everything that was enqueued before; returns at once.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    add(.call(body))
  }

  /// Returns after everything that was enqueued before has run and the descriptors that are ready have been handled.
  ///
  /// `Task.yield` would go through libdispatch.
  nonisolated(nonsending) package func turn() async {
    await withCheckedContinuation { continuation in perform { continuation.resume() } }
  }

  /// Wakes the thread only for the first job: it takes all jobs at once, and the next one is a first again.
  private func add(_ job: Job) {
    let (wasEmpty, wasOver) = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isOver = false }
      return (inbox.jobs.count == 1, inbox.isOver)
    }
    if wasOver { return startEssentialThread(named: "rest") { [self] in runRest() } }
    if wasEmpty { wakeThread() }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  private func wakeThread() {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(wake.number, &one, 8)
  }

  /// Lets the loop's callbacks call the actor's functions with `assumeIsolated`.
  package func checkIsolated() {
    precondition(thread.load(ordering: .relaxed) == UInt(pthread_self()), "not on the event loop's thread")
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var ready = [clinux_ready](repeating: clinux_ready(fd: -1, events: 0), count: 16)
    while true {
      let count = unsafe clinux_epoll_wait(poll.number, &ready, Int32(ready.count))
      for event in ready.prefix(Int(count)) {
        if event.fd == wake.number || event.fd == timer.number {
          var ticks: UInt64 = 0
          _ = unsafe Glibc.read(event.fd, &ticks, 8)
          if event.fd == timer.number { callbacks.withLock { $0.deadlineReached }?() }
        } else {
          callbacks.withLock { $0.watchers[event.fd] }?(DescriptorEvents(rawValue: event.events))
        }
      }
      runJobs()
      if isOver() { return }
    }
  }

  /// Runs jobs that come after the loop's end. Descriptors are no longer watched.
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

  /// Runs the jobs that are there now. Jobs that they add wait until the kernel has been asked again: otherwise work that
  /// always adds more would keep events and deadlines waiting.
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
