internal import CLinux
internal import Glibc

/// Runs a zone's `OnDrop=` command for one payload.
///
/// The command runs in `/`, without a shell, as the leader of its own session and process group, with the default
/// signals and only the descriptors 0, 1 and 2. Its exit is its verdict: processes that it leaves behind are not waited
/// for, and those still in its group are killed.
package enum HandlerProcess {
  /// How long other processes that hold the pipes may go on printing after the command has ended.
  static let grace = Duration.milliseconds(200)
  /// How long the command has between TERM and KILL when the daemon stops.
  static let notice = Duration.seconds(5)
  /// How long a killed command may take to end. One that takes longer hangs in the kernel, and is reaped later.
  static let patience = Duration.seconds(2)

  /// Runs `command`, and blocks the calling thread until it ends.
  ///
  /// Any number of threads may call this at once. `environment` is added to the daemon's own, and `input` is everything
  /// that the command can read from standard input. After `timeout` the command's group is killed; after a cancellation
  /// it gets TERM, and KILL five seconds later.
  package static func run(
    command: [String], environment: [(name: String, value: [UInt8])], input: [UInt8], timeout: Duration,
    cancellation: Cancellation
  ) -> HandlerEnd {
    if cancellation.isCancelled { return HandlerEnd(.cancelled) }
    let clock = SuspendingClock()
    let start = clock.now
    var end: HandlerEnd
    do throws(Errno) {
      let child = try HandlerChild(
        command: command, environment: HandlerEnvironment.block(adding: environment), input: input)
      var attendance = HandlerAttendance(process: child.process, deadline: start + timeout)
      end = attendance.attend(child, cancellation)
    } catch {
      end = HandlerEnd(.couldNotStart(error))
    }
    end.elapsed = start.duration(to: clock.now)
    return end
  }

  /// Does the same on a separate thread. Cancelling the task cancels only this run.
  package static func run(
    command: [String], environment: [(name: String, value: [UInt8])], input: [UInt8], timeout: Duration
  ) async -> HandlerEnd {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await BlockingPool.handlers.run {
        run(command: command, environment: environment, input: input, timeout: timeout, cancellation: cancellation)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
