/// Lets the first few of equal messages pass, and tells with a later one how many were left out.
package struct RepeatLimit: Sendable {
  /// How many pass in one interval.
  package static let burst = 5
  package static let interval = Duration.seconds(30)
  /// How many different messages are counted at once; beyond it, new ones pass uncounted.
  package static let keyLimit = 256

  private struct Count {
    var begin: Duration
    var passed = 0
    var leftOut = 0
  }

  private var counts: [String: Count] = [:]
  private var swept: Duration?

  package init() {}

  /// Whether a message may pass at a moment of some monotonic clock; the number is how many like it were left out
  /// before. Nil: it may not.
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

  /// Forgets what is long past, where there is no room; at most once a second, for all messages of a busy second differ.
  private mutating func makeRoom(at now: Duration) -> Bool {
    if counts.count < Self.keyLimit { return true }
    guard swept.map({ now - $0 >= .seconds(1) }) ?? true else { return false }
    swept = now
    counts = counts.filter { now - $0.value.begin < Self.interval }
    return counts.count < Self.keyLimit
  }
}
