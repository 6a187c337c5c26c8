/// How a handler's process ended.
package enum HandlerEnding: Hashable, Sendable {
  case exited(Int32)
  case signaled(Int32)
  /// Killed because it timed out.
  case timedOut
  /// Stopped because the daemon stops: says nothing about the payload.
  case cancelled
  case couldNotStart(StartFailure)
}

/// Why a handler's process did not begin, by whose fault it was; the text is the system's.
package enum StartFailure: Hashable, Sendable {
  /// The command is missing or cannot be executed.
  case command(String)
  /// This payload's arguments are too long.
  case payload(String)
  /// The machine had no room for one more process just now.
  case machine(String)
}
