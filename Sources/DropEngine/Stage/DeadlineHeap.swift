/// Things by the time they are to be looked at again, earliest first.
///
/// Entries are not taken out when one changes its mind; a stamp tells the stale ones.
package struct DeadlineHeap<Key: Sendable>: Sendable {
  package struct Entry: Sendable {
    @Ticks package var deadline: Duration
    package var key: Key
    package var stamp: UInt32

    init(deadline: Duration, key: Key, stamp: UInt32) {
      self.deadline = deadline
      self.key = key
      self.stamp = stamp
    }
  }

  private var entries: [Entry] = []

  package init() {}

  package var first: Duration? { next?.deadline }

  package var next: Entry? { entries.first }

  package var count: Int { entries.count }

  /// The earliest deadline that is none of the stale ones before it, which go.
  package mutating func first(where isCurrent: (Entry) -> Bool) -> Duration? {
    while let first = entries.first {
      if isCurrent(first) { return first.deadline }
      _ = pop(until: first.deadline)
    }
    return nil
  }

  /// Lets the stale ones go, wherever they are.
  package mutating func keep(_ isCurrent: (Entry) -> Bool) {
    let current = entries.filter(isCurrent)
    entries = []
    for entry in current { push(entry.deadline, entry.key, entry.stamp) }
  }

  package mutating func push(_ deadline: Duration, _ key: Key, _ stamp: UInt32) {
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
  package mutating func pop(until now: Duration) -> Entry? {
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
