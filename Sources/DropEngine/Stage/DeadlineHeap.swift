/// Payloads by the time they are to be looked at again, earliest first.
///
/// Entries are not taken out when a payload changes its mind; a stamp tells the stale ones.
struct DeadlineHeap: Sendable {
  struct Entry: Sendable {
    var deadline: Duration
    var key: PayloadKey
    var stamp: UInt32
  }

  private var entries: [Entry] = []

  var first: Duration? { entries.first?.deadline }

  mutating func push(_ deadline: Duration, _ key: PayloadKey, _ stamp: UInt32) {
    entries.append(Entry(deadline: deadline, key: key, stamp: stamp))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].deadline < entries[parent].deadline else { break }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// The earliest entry that is due at `now`.
  mutating func pop(until now: Duration) -> Entry? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    let last = entries.removeLast()
    if entries.isEmpty { return first }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].deadline < entries[least].deadline { least = child }
      }
      if least == parent { return first }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
