internal import CLinux
internal import Glibc
internal import Synchronization

/// The signals that control a daemon, and those that must never end it.
package enum DaemonSignals {
  package enum Signal: Hashable, Sendable { case hangUp, terminate }

  /// Blocks these signals in this thread and in all threads that it starts. Call it before there are any.
  ///
  /// SIGPIPE means that a client is gone, and SIGIO that a program waits for a lease. Both would end the process.
  package static func block() {
    var signals = controlling
    for signal in [SIGPIPE, SIGIO] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Ignores the signals that must not end the process, in a program that handles its signals itself.
  package static func ignoreStray() {
    for signal in [SIGPIPE, SIGIO] { _ = clinux_ignore(signal) }
  }

  /// Calls `body` for each controlling signal, on a separate thread.
  ///
  /// The signals have handlers, because waiting for them is not enough: the main thread of a program with a main queue
  /// sleeps in sigsuspend(2) with nothing blocked, where they would end the process.
  package static func listen(_ body: @escaping @Sendable (Signal) -> Void) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    try check { unsafe pipe2(&ends, O_CLOEXEC) }
    let reading = FileDescriptor(adopting: ends[0])
    // It stays open as long as the process lives, because the handler can run at any time.
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    for signal in [SIGHUP, SIGTERM, SIGINT] { _ = clinux_catch(signal, noteSignal) }
    let source = reading.release()
    BlockingPool(name: "signals", limit: 1).perform {
      var signals = controlling
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      while true {
        var number: UInt8 = 0
        guard unsafe read(source, &number, 1) == 1 else { continue }
        body(Int32(number) == SIGHUP ? .hangUp : .terminate)
      }
    }
  }

  private static var controlling: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGHUP, SIGTERM, SIGINT] { unsafe sigaddset(&signals, signal) }
    return signals
  }
}

/// The pipe that the handler writes to. It may call little else: signal-safety(7).
private let signalPipe = Atomic<Int32>(-1)

private func noteSignal(_ signal: Int32) {
  var number = UInt8(truncatingIfNeeded: signal)
  _ = unsafe write(signalPipe.load(ordering: .relaxed), &number, 1)
}
