package import DropEngine
internal import CLinux
internal import Glibc

/// How a handler's command ended, and its output.
package struct HandlerEnd: Hashable, Sendable {
  package var way: Way
  /// The beginning of standard output; the verdict is in its first line.
  package var output = CapturedOutput(keepsTail: false)
  /// The beginning and the end of standard error.
  package var errors = CapturedOutput(keepsTail: true)
  /// Whether other processes of its group were still running, and were killed.
  package var leftProcesses = false
  package var elapsed = Duration.zero

  package enum Way: Hashable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    case timedOut
    case cancelled
    case couldNotStart(Errno)
  }

  package init(_ way: Way) {
    self.way = way
  }
}

extension HandlerEnd {
  /// The end, as a value for the engine.
  package var ending: HandlerEnding {
    switch way {
    case .exited(let status): .exited(status)
    case .signaled(let signal): .signaled(signal)
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .couldNotStart(let error): .couldNotStart(Self.fault(error))
    }
  }

  /// Determines whose fault an error of execve(2) or fork(2) is.
  private static func fault(_ error: Errno) -> StartFailure {
    switch error.number {
    case E2BIG: .payload(error.description)
    // ETXTBSY: the program is being written, most likely by an update.
    case EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC, ETXTBSY, EIO: .machine(error.description)
    default: .command(error.description)
    }
  }

  /// The outcome that follows from the end and the answer.
  package var outcome: HandlerOutcome {
    let line = output.firstLine
    return HandlerOutcome(ending: ending, answer: HandlerAnswer.read(line.bytes, isWhole: line.isWhole))
  }

  /// The end, as a value for receipts and reason files; nil if no process ran.
  package var report: Receipt.HandlerReport? {
    let (exit, signal): (Int32?, Int32?)
    switch way {
    case .exited(let status): (exit, signal) = (status, nil)
    case .signaled(let number): (exit, signal) = (nil, number)
    case .timedOut: (exit, signal) = (nil, SIGKILL)
    case .cancelled, .couldNotStart: return nil
    }
    let parts = [output.excerpt(limit: 4096), errors.excerpt(limit: 4096)].filter { !$0.isEmpty }
    return Receipt.HandlerReport(exit: exit, signal: signal, output: parts.joined(separator: " "))
  }
}
