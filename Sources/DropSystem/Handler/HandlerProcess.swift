internal import CLinux
internal import Glibc

/// Runs a zone's `OnDrop=` command for one payload.
///
/// The command runs without a shell, as the leader of a session and process group of its own, in `/`,
/// with the default signals and no descriptor but 0, 1 and 2. Its exit is its verdict: processes it left
/// behind are not waited for, and those still in its group are killed.
package enum HandlerProcess {
  /// How long what still holds the pipes may go on printing after the command's own exit.
  static let grace = Duration.milliseconds(200)
  /// How long the command has between TERM and KILL when the daemon stops.
  static let notice = Duration.seconds(5)
  /// How long a killed command may take to go before it is left to a reaper: one that hangs in the kernel.
  static let patience = Duration.seconds(2)

  /// Runs `command` to its end and blocks the calling thread for it.
  ///
  /// May be called on any number of threads at once. `environment` is added to the daemon's own.
  /// `input` is all of standard input. After `timeout` the group is killed; after a cancellation
  /// it gets TERM, and KILL five seconds later. One that has exited before is neither.
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

  /// Does the same on a thread of its own. Cancelling the task cancels only this run.
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
