/// How a handler's process ended.
package enum HandlerEnding: Hashable, Sendable {
  case exited(Int32)
  case signaled(Int32)
  /// It was killed because it timed out.
  case timedOut
  /// It was stopped because the daemon is stopping, which says nothing about the payload.
  case cancelled
  case couldNotStart(StartFailure)
}

/// The reason why a handler's process did not start, by its cause. The text is the system's error message.
package enum StartFailure: Hashable, Sendable {
  /// The command is missing or cannot be executed.
  case command(String)
  /// The arguments for this payload are too long.
  case payload(String)
  /// The machine currently has no resources for another process.
  case machine(String)
}
