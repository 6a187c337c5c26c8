/// Directories that could not be opened or listed: each is reported once, and tried again, later each time.
package struct UnlistedDirectories: Sendable {
  private struct Failure: Sendable {
    var reason: String
    /// Whether somebody has to give rights first; nobody waits for that.
    var isForbidden: Bool
    var backoff: Backoff
    /// When it is listed again; nil while that is queued or under way.
    var next: Duration?
    var isDeep: Bool
  }

  private var failures: [Int32: Failure] = [:]

  package init() {}

  package var isEmpty: Bool { failures.isEmpty }
  package var count: Int { failures.count }

  /// Whether one of them is expected to answer without anybody's help.
  package var isAnyExpected: Bool { failures.values.contains { !$0.isForbidden } }

  /// The directory that is shown for all of them.
  package var first: (directory: Int32, reason: String)? {
    failures.min { $0.key < $1.key }.map { ($0.key, $0.value.reason) }
  }

  package func reason(of directory: Int32) -> String? { failures[directory]?.reason }

  /// Notes that a directory could not be listed.
  ///
  /// - Parameter limit: The longest wait before it is tried again.
  /// - Returns: The wait if this is to be reported; nil if it was reported before.
  package mutating func note(
    _ directory: Int32, _ reason: String, isForbidden: Bool, isDeep: Bool, limit: Duration, at now: Duration
  ) -> Duration? {
    let known = failures[directory]
    var failure =
      known
      ?? Failure(reason: reason, isForbidden: isForbidden, backoff: Backoff(limit: limit), next: nil, isDeep: false)
    failure.reason = reason
    failure.isForbidden = isForbidden
    failure.isDeep = failure.isDeep || isDeep
    // Each name in it that an event is about fails in the same way until then.
    if failure.next == nil { failure.next = now + failure.backoff.next() }
    failures[directory] = failure
    return known?.reason == reason ? nil : failure.backoff.current
  }

  /// Notes that a directory is being listed: a failure from now on is one of this attempt.
  package mutating func begin(_ directory: Int32) {
    failures[directory]?.next = nil
  }

  /// Forgets a directory that has been listed since ``begin(_:)``; returns whether it was one of these.
  package mutating func succeed(_ directory: Int32) -> Bool {
    guard let failure = failures[directory], failure.next == nil else { return false }
    failures[directory] = nil
    return true
  }

  /// Forgets a directory; returns whether it was one of these.
  package mutating func remove(_ directory: Int32) -> Bool { failures.removeValue(forKey: directory) != nil }

  /// Returns the directories whose time has come.
  package mutating func takeDue(at now: Duration) -> [(directory: Int32, isDeep: Bool)] {
    var due: [(directory: Int32, isDeep: Bool)] = []
    for (directory, failure) in failures {
      guard let next = failure.next, next <= now else { continue }
      failures[directory]?.next = nil
      due.append((directory, failure.isDeep))
    }
    return due
  }

  package var nextDeadline: Duration? { failures.values.lazy.compactMap(\.next).min() }
}
