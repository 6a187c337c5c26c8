internal import CLinux
internal import Glibc

/// The signals a daemon is told by, and those that must never end it.
package enum DaemonSignals {
  package enum Signal: Hashable, Sendable { case hangUp, terminate }

  /// Blocks them in this thread and in all that it starts: called before there are any.
  ///
  /// SIGPIPE is a client that went; SIGIO the kernel's word that somebody waits for a lease, which would kill.
  package static func block() {
    var signals = told
    for signal in [SIGPIPE, SIGIO] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Lets the stray ones pass in a program that keeps its signals to itself.
  package static func ignoreStray() {
    for signal in [SIGPIPE, SIGIO] { _ = clinux_ignore(signal) }
  }

  /// Waits for the next one: sigwaitinfo(2).
  package static func next() -> Signal {
    var signals = told
    while true {
      switch unsafe sigwaitinfo(&signals, nil) {
      case SIGHUP: return .hangUp
      case SIGTERM, SIGINT: return .terminate
      default: continue
      }
    }
  }

  private static var told: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGHUP, SIGTERM, SIGINT] { unsafe sigaddset(&signals, signal) }
    return signals
  }
}
