internal import DropEngine
internal import CLinux
internal import Glibc

/// A handler's process that is kept: it reads one question a line and prints one answer a line, in any order.
///
/// It is started like a handler that is asked once, and has its pipes for as long as it lives. One thread at a time
/// talks to it.
package final class StreamProcess: Sendable {
  private let child: HandlerChild
  private let questions: FileDescriptor

  package init(command: [String], environment: [(name: String, value: [UInt8])]) throws(Errno) {
    _ = Self.brokenPipesAreErrors
    let pipe = try Pipe(nonBlocking: .writer)
    child = try HandlerChild(
      command: command, environment: HandlerEnvironment.block(adding: environment), standardInput: pipe.reader.number)
    questions = pipe.keepWriter()
  }

  /// A handler that reads no more must not end a program that has not thought of SIGPIPE.
  private static let brokenPipesAreErrors: Void = {
    if clinux_is_default(SIGPIPE) != 0 { _ = clinux_ignore(SIGPIPE) }
  }()

  /// Why a conversation ended before everything was answered.
  package enum Failure: Error, Sendable {
    case garbage(String)
    /// It is gone, and how it went.
    case ended(HandlerEnd)
  }

  /// Whether it runs and has said nothing that nobody asked for.
  package var isFit: Bool {
    var waits = [child.exit.number, child.output.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return unsafe poll(&waits, nfds_t(waits.count), 0) == 0
  }

  /// Asks `lines`, and calls `take` with each answer as it comes until it says that nothing is left to be answered.
  ///
  /// Blocks the calling thread. Whenever it has answered nothing for `timeout` it is killed, with all of its group, as
  /// it is when it says what `take` throws at. After a cancellation it gets TERM, and KILL five seconds later. After a
  /// failure it is gone.
  package func ask(
    _ lines: [UInt8], timeout: Duration, cancellation: Cancellation,
    take: (_ line: [UInt8]) throws(StreamAnswer.Garbage) -> Bool
  ) throws(Failure) {
    let clock = SuspendingClock()
    var rest = lines[...]
    var said = SplitLines()
    var errors = CapturedOutput(keepsTail: true)
    var deadline = clock.now + timeout
    var errorsAreOpen = true
    while true {
      var waits = [
        pollfd(fd: child.output.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: rest.isEmpty ? -1 : questions.number, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: errorsAreOpen ? child.errors.number : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: child.exit.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: cancellation.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = HandlerAttendance.milliseconds(clock.now.duration(to: deadline))
      _ = unsafe poll(&waits, nfds_t(waits.count), left)
      if waits[2].revents != 0 { errorsAreOpen = HandlerAttendance.drain(child.errors.number, into: &errors) }
      if waits[0].revents != 0 {
        let isOpen = said.read(child.output.number)
        do throws(StreamAnswer.Garbage) {
          let isDone = try said.handOn { line throws(StreamAnswer.Garbage) in
            deadline = clock.now + timeout
            return try take(line)
          }
          if isDone { return }
        } catch {
          _ = end(.kill, errors)
          throw .garbage(error.message)
        }
        // Without its output it can answer nothing any more.
        if !isOpen { throw .ended(end(.wait, errors)) }
      } else if waits[3].revents != 0 {
        throw .ended(end(.wait, errors))
      }
      if waits[1].revents != 0 { write(&rest) }
      if waits[4].revents != 0 || cancellation.isCancelled { throw .ended(end(.terminate, errors)) }
      if clock.now >= deadline {
        var end = end(.kill, errors)
        end.way = .timedOut
        throw .ended(end)
      }
    }
  }

  private func write(_ rest: inout ArraySlice<UInt8>) {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(questions.number, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if Errno.last != .again, Errno.last != .interrupted {
      // It reads no more: what it has been asked it may still answer.
      rest = []
    }
  }

  private enum Manner { case wait, terminate, kill }

  /// Sees it to its end.
  private func end(_ manner: Manner, _ errors: CapturedOutput) -> HandlerEnd {
    let clock = SuspendingClock()
    if manner == .kill { kill(-child.process, SIGKILL) }
    var attendance = HandlerAttendance(process: child.process, deadline: clock.now + HandlerProcess.patience)
    if manner == .terminate { attendance.terminate() }
    var end = attendance.attend(child, Cancellation())
    if end.errors.total == 0 { end.errors = errors }
    return end
  }

  /// Ends one that is asked nothing any more: TERM, and KILL five seconds later.
  package func stop() {
    _ = end(.terminate, CapturedOutput(keepsTail: true))
  }
}

/// What comes in pieces, as lines.
private struct SplitLines {
  /// Longer than this no answer is.
  static let limit = CapturedOutput.limit

  private var bytes: [UInt8] = []
  private var start = 0

  /// Gives `take` each whole line without its newline; true once that says that nothing is left to be said.
  mutating func handOn(
    _ take: (_ line: [UInt8]) throws(StreamAnswer.Garbage) -> Bool
  ) throws(StreamAnswer.Garbage) -> Bool {
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(bytes[start..<end])
      start = end + 1
      if try take(line) {
        guard start == bytes.count else { throw StreamAnswer.Garbage(message: "it said more than it was asked") }
        return true
      }
    }
    bytes.removeFirst(start)
    start = 0
    guard bytes.count <= Self.limit else {
      throw StreamAnswer.Garbage(message: "a line is longer than \(Self.limit) bytes")
    }
    return false
  }

  /// Reads what is there, a buffer at most; false at the end.
  mutating func read(_ file: Int32) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
      let count = unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
      if count > 0 { unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count > 0 || count < 0 && (Errno.last == .again || Errno.last == .interrupted)
    }
  }
}
