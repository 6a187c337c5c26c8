internal import CLinux
internal import Glibc

/// Signals that arrive as input instead of ending the process: signalfd(2).
///
/// Create this before other threads start, because they inherit the signal mask. When this value ends, the signals have
/// their former effect again.
package final class CaughtSignals {
  package enum Signal: Hashable, Sendable, CaseIterable {
    case interrupt, terminate, hangUp, stop, windowChange

    fileprivate var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .hangUp: SIGHUP
      case .stop: SIGTSTP
      case .windowChange: SIGWINCH
      }
    }
  }

  private let descriptor: FileDescriptor
  private let former: sigset_t

  package init(_ signals: Set<Signal>) throws(Errno) {
    var caught = sigset_t()
    unsafe sigemptyset(&caught)
    for signal in signals { unsafe sigaddset(&caught, signal.number) }
    var former = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &caught, &former)
    self.former = former
    descriptor = FileDescriptor(
      adopting: try retrying { unsafe signalfd(-1, &caught, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK)) })
  }

  deinit {
    var former = self.former
    unsafe pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  /// Readable if a signal has arrived.
  package var number: Int32 { descriptor.number }

  /// Whether a signal has arrived. Does not read it.
  package var isPending: Bool {
    var set = PollSet()
    set.add(descriptor.number, .input)
    return (try? set.wait(atMost: .zero).first?.contains(.input)) == true
  }

  /// The next signal that has arrived; nil if there is none.
  package func next() -> Signal? {
    let number = descriptor.number
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(number, &information, size) == size else { return nil }
    return Signal.allCases.first { $0.number == Int32(information.ssi_signo) }
  }

  /// Stops this process, and returns when it is continued.
  package static func stopSelf() {
    kill(getpid(), SIGSTOP)
  }

  /// Ends this process with the signal, so that its parent sees why.
  package static func die(of signal: Signal) {
    _ = clinux_default_action(signal.number)
    var one = sigset_t()
    unsafe sigemptyset(&one)
    unsafe sigaddset(&one, signal.number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &one, nil)
    kill(getpid(), signal.number)
  }
}
