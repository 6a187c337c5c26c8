internal import DropEngine
internal import CLinux
internal import Glibc

/// The process of a handler that keeps running: it reads a question per line and prints an answer per line, in any order.
///
/// It starts in the same way as a handler for a single payload, and keeps its pipes as long as it lives. Only one thread
/// at a time may use it.
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

  /// A handler that stops reading must not end a program that does not handle SIGPIPE.
  private static let brokenPipesAreErrors: Void = {
    if clinux_is_default(SIGPIPE) != 0 { _ = clinux_ignore(SIGPIPE) }
  }()

  /// Why not everything was answered.
  package enum Failure: Error, Sendable {
    case garbage(String)
    /// The process ended.
    case ended(HandlerEnd)
  }

  /// Whether the process is running and has printed nothing without being asked.
  package var isFit: Bool {
    var waits = [child.exit.number, child.output.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return unsafe poll(&waits, nfds_t(waits.count), 0) == 0
  }

  /// Sends `lines`, and calls `take` with each answer until `take` returns true because everything is answered.
  ///
  /// Blocks the calling thread. If there is no answer for `timeout`, or if `take` throws, the process is killed with its
  /// group. After a cancellation it gets TERM, and KILL five seconds later. After any failure, the process is gone.
  package func ask(
    _ lines: [UInt8], timeout: Duration, cancellation: Cancellation,
    take: (_ line: [UInt8]) throws(StreamAnswer.Garbage) -> Bool
  ) throws(Failure) {
    let clock = SuspendingClock()
    var rest = lines[...]
    var answers = LineBuffer()
    var errors = CapturedOutput(keepsTail: true)
    var deadline = clock.now + timeout
    var errorsAreOpen = true
    while true {
      var waits = waits(asking: !rest.isEmpty, readingErrors: errorsAreOpen, cancellation)
      let left = HandlerAttendance.milliseconds(clock.now.duration(to: deadline))
      _ = unsafe poll(&waits, nfds_t(waits.count), left)
      if waits[2].revents != 0 { errorsAreOpen = HandlerAttendance.drain(child.errors.number, into: &errors) }
      if waits[0].revents != 0 {
        let isOpen = answers.read(child.output.number)
        do throws(StreamAnswer.Garbage) {
          let isDone = try answers.takeLines { line throws(StreamAnswer.Garbage) in
            deadline = clock.now + timeout
            return try take(line)
          }
          if isDone { return }
        } catch {
          _ = end(.kill, errors)
          throw .garbage(error.message)
        }
        // It closed its output, so it cannot answer.
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

  /// What `ask` waits for. poll(2) ignores negative numbers.
  private func waits(asking: Bool, readingErrors: Bool, _ cancellation: Cancellation) -> [pollfd] {
    [
      pollfd(fd: child.output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: asking ? questions.number : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: readingErrors ? child.errors.number : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: child.exit.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cancellation.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
  }

  private func write(_ rest: inout ArraySlice<UInt8>) {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(questions.number, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if Errno.last != .again, Errno.last != .interrupted {
      // It stopped reading, but may still answer what it has read.
      rest = []
    }
  }

  private enum Manner { case wait, terminate, kill }

  /// Waits for the process to end, and asks or forces it to if necessary.
  private func end(_ manner: Manner, _ errors: CapturedOutput) -> HandlerEnd {
    let clock = SuspendingClock()
    if manner == .kill { kill(-child.process, SIGKILL) }
    var attendance = HandlerAttendance(process: child.process, deadline: clock.now + HandlerProcess.patience)
    if manner == .terminate { attendance.terminate() }
    var end = attendance.attend(child, Cancellation())
    if end.errors.total == 0 { end.errors = errors }
    return end
  }

  /// Ends the process when there is nothing more to ask: TERM, and KILL five seconds later.
  package func stop() {
    _ = end(.terminate, CapturedOutput(keepsTail: true))
  }
}

/// Splits output that arrives in pieces into lines.
private struct LineBuffer {
  /// The length of the longest answer.
  static let limit = CapturedOutput.limit

  private var bytes: [UInt8] = []
  private var start = 0

  /// Calls `take` with each complete line without its newline, until it returns true, and returns whether it did.
  mutating func takeLines(
    _ take: (_ line: [UInt8]) throws(StreamAnswer.Garbage) -> Bool
  ) throws(StreamAnswer.Garbage) -> Bool {
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(bytes[start..<end])
      start = end + 1
      if try take(line) {
        guard start == bytes.count else {
          throw StreamAnswer.Garbage(message: "it printed more than one answer to a question")
        }
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

  /// Reads what has arrived, at most one buffer. Returns false at the end of the output.
  mutating func read(_ file: Int32) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
      let count = unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
      if count > 0 { unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count > 0 || count < 0 && (Errno.last == .again || Errno.last == .interrupted)
    }
  }
}
