internal import CLinux
internal import Glibc

/// Waits for a handler's process: reads its pipes, notices its exit, and stops it when its time is up.
struct HandlerAttendance {
  private let process: pid_t
  private let clock = SuspendingClock()
  /// When something must be done even if nothing happens.
  private var deadline: SuspendingClock.Instant
  private var exited = false
  /// Why the process was stopped, if it was.
  private var stop: HandlerEnd.Way?
  private var killed = false

  init(process: pid_t, deadline: SuspendingClock.Instant) {
    self.process = process
    self.deadline = deadline
  }

  /// Waits until the end. Only the child, the cancellation and the deadline wake the thread.
  mutating func attend(_ child: borrowing HandlerChild, _ cancellation: Cancellation) -> HandlerEnd {
    var end = HandlerEnd(.cancelled)
    var output: Int32 = child.output.number
    var errors: Int32 = child.errors.number
    // poll(2) ignores negative numbers.
    var cancelled: Int32 = cancellation.descriptor ?? -1
    while !exited || output >= 0 || errors >= 0 {
      var waits = [exited ? -1 : child.exit.number, output, errors, cancelled].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = unsafe poll(&waits, nfds_t(waits.count), milliseconds(until: deadline))
      if ready > 0 {
        if waits[1].revents != 0, !Self.drain(output, into: &end.output) { output = -1 }
        if waits[2].revents != 0, !Self.drain(errors, into: &end.errors) { errors = -1 }
        if waits[0].revents != 0 {
          exited = true
          cancelled = -1
          deadline = clock.now + HandlerProcess.grace
        } else if waits[3].revents != 0 {
          cancelled = -1
          if stop == nil { terminate() }
        }
      }
      if clock.now >= deadline, !handleDeadline() { break }
    }
    return finish(&end)
  }

  /// Asks the process to end, and kills it later if it does not.
  mutating func terminate() {
    stop = .cancelled
    kill(-process, SIGTERM)
    deadline = clock.now + HandlerProcess.notice
  }

  /// Does what is due at the deadline; returns false if there is nothing more to wait for.
  private mutating func handleDeadline() -> Bool {
    if exited || killed { return false }
    stop = stop ?? .timedOut
    killed = true
    kill(-process, SIGKILL)
    deadline = clock.now + HandlerProcess.patience
    return true
  }

  private func finish(_ end: inout HandlerEnd) -> HandlerEnd {
    guard exited else {
      // It was killed but hangs in the kernel. It can do nothing more, and must be reaped when it exits.
      BlockingPool.handlers.perform { [process] in _ = Self.reap(process) }
      end.way = stop ?? .timedOut
      return end
    }
    // The leader is a zombie until it is reaped, so no other process can have its number. The processes that it left in
    // its group are stopped first, so that the number stays in use, and are killed once the leader no longer counts
    // among them.
    kill(-process, SIGSTOP)
    let status = Self.reap(process)
    end.leftProcesses = kill(-process, SIGKILL) == 0
    end.way = stop ?? Self.way(status)
    return end
  }

  private static func way(_ status: Int32) -> HandlerEnd.Way {
    clinux_signaled(status) != 0 ? .signaled(clinux_signal(status)) : .exited(clinux_exit_code(status))
  }

  /// Waits for this process only: other children of the program are not ours to reap.
  @discardableResult
  static func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, Errno.last == .interrupted {}
    return status
  }

  /// Reads what has arrived, but only a few buffers, so that a flood of output never hides the exit or the deadline.
  ///
  /// - Returns: False at the end of the file.
  static func drain(_ file: Int32, into output: inout CapturedOutput) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
      for _ in 0..<16 {
        let count = unsafe read(file, buffer.baseAddress, buffer.count)
        if count > 0 {
          unsafe output.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } else if count == 0 {
          return false
        } else if Errno.last != .interrupted {
          return Errno.last == .again
        }
      }
      return true
    }
  }

  /// Rounds up, so that poll(2) does not end just before the deadline.
  private func milliseconds(until instant: SuspendingClock.Instant) -> Int32 {
    Self.milliseconds(clock.now.duration(to: instant))
  }

  static func milliseconds(_ left: Duration) -> Int32 {
    if left <= .zero { return 0 }
    let (seconds, attoseconds) = left.components
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
