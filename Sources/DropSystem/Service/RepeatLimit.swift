/// Admits the first few of equal messages, and reports with a later one how many were left out.
package struct RepeatLimit: Sendable {
  /// How many equal messages are admitted per interval.
  package static let burst = 5
  package static let interval = Duration.seconds(30)
  /// How many different messages are counted at once. Beyond that, new ones are admitted without a count.
  package static let keyLimit = 256

  private struct Count {
    var begin: Duration
    var passed = 0
    var leftOut = 0
  }

  private var counts: [String: Count] = [:]
  private var swept: Duration?

  package init() {}

  /// Returns nil if a message is to be left out. Otherwise, returns how many equal ones were left out before it. `now` is
  /// a time of a monotonic clock.
  package mutating func admit(_ key: String, at now: Duration) -> Int? {
    var count = counts[key] ?? Count(begin: now)
    var leftOut = 0
    if now - count.begin >= Self.interval {
      leftOut = count.leftOut
      count = Count(begin: now)
    }
    if count.passed >= Self.burst {
      count.leftOut += 1
      counts[key] = count
      return nil
    }
    count.passed += 1
    if counts[key] != nil || makeRoom(at: now) { counts[key] = count }
    return leftOut
  }

  /// Makes room by removing expired counts, at most once a second: in a busy second, all messages may differ.
  private mutating func makeRoom(at now: Duration) -> Bool {
    if counts.count < Self.keyLimit { return true }
    guard swept.map({ now - $0 >= .seconds(1) }) ?? true else { return false }
    swept = now
    counts = counts.filter { now - $0.value.begin < Self.interval }
    return counts.count < Self.keyLimit
  }
}
