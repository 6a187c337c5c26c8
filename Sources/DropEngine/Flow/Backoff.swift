/// How long to wait before each new attempt: one second at first, then twice as long each time, up to a limit.
package struct Backoff: Hashable, Sendable {
  private static let first = Duration.seconds(1)

  private let limit: Duration
  /// The wait that `next()` returned last; zero before the first.
  package private(set) var current = Duration.zero

  /// - Parameter current: The last wait, if there has been one.
  package init(limit: Duration = .seconds(60), after current: Duration = .zero) {
    self.limit = limit
    self.current = current
  }

  /// Returns how long to wait before the next attempt.
  package mutating func next() -> Duration {
    current = min(current == .zero ? Self.first : current * 2, limit)
    return current
  }

  /// Starts again with the shortest wait, because an attempt has succeeded.
  package mutating func reset() {
    current = .zero
  }
}
