internal import CLinux
internal import Glibc
internal import Synchronization

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

  /// Tells of each that comes, on a thread of its own.
  ///
  /// They are caught and not waited for: the main thread of a program with a main queue sleeps in sigsuspend(2) with
  /// nothing blocked, and would die of them.
  package static func listen(_ body: @escaping @Sendable (Signal) -> Void) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    try check { unsafe pipe2(&ends, O_CLOEXEC) }
    let reading = FileDescriptor(adopting: ends[0])
    // Open for as long as the process lives: a handler may run at any time.
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    for signal in [SIGHUP, SIGTERM, SIGINT] { _ = clinux_catch(signal, noteSignal) }
    let source = reading.release()
    BlockingPool(name: "signals", limit: 1).perform {
      var signals = told
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      while true {
        var number: UInt8 = 0
        guard unsafe read(source, &number, 1) == 1 else { continue }
        body(Int32(number) == SIGHUP ? .hangUp : .terminate)
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

/// Where the handler writes to: it may call little else, signal-safety(7).
private let signalPipe = Atomic<Int32>(-1)

private func noteSignal(_ signal: Int32) {
  var number = UInt8(truncatingIfNeeded: signal)
  _ = unsafe write(signalPipe.load(ordering: .relaxed), &number, 1)
}
