/// The temporary names of one directory by what they stand for, and who waits for them.
struct TemporaryIndex: Sendable {
  /// How many names stand for the same, and how many of them are transfers that go on.
  private struct Count {
    var names = 0
    var transfers = 0
  }

  private var counts: [NameTie: Count] = [:]
  private var cutLengths: [Int: Int] = [:]
  private var waiting: [NameTie: Set<RawPath>] = [:]
  private var ties: [RawPath: NameTie] = [:]

  var isEmpty: Bool { counts.isEmpty && ties.isEmpty }

  mutating func add(_ new: [NameTie], isTransfer: Bool) {
    for tie in new {
      counts[tie, default: Count()].names += 1
      if isTransfer { counts[tie]?.transfers += 1 }
      if let length = tie.cutLength { cutLengths[length, default: 0] += 1 }
    }
  }

  /// Returns the names that have waited for it.
  mutating func remove(_ old: [NameTie], wasTransfer: Bool) -> [RawPath] {
    var released: [RawPath] = []
    for tie in old {
      guard var count = counts[tie] else { continue }
      count.names -= 1
      if wasTransfer { count.transfers -= 1 }
      counts[tie] = count.names > 0 ? count : nil
      if let length = tie.cutLength {
        cutLengths[length, default: 0] -= 1
        if cutLengths[length] == 0 { cutLengths[length] = nil }
      }
      if count.names == 0 || wasTransfer && count.transfers == 0 { released += waiting[tie] ?? [] }
    }
    return released
  }

  /// What a name has in common with a temporary one, and with a transfer that goes on: a stalled one holds nobody up.
  func temporary(of name: RawPath) -> (any: NameTie?, transfer: NameTie?) {
    guard !counts.isEmpty else { return (nil, nil) }
    let ties = NameTie.ties(of: name, cutLengths: cutLengths.keys)
    return (ties.first { counts[$0] != nil }, ties.first { counts[$0]?.transfers ?? 0 > 0 })
  }

  /// A name waits for what has this tie, or for nothing.
  mutating func wait(_ name: RawPath, for tie: NameTie?) {
    let old = ties[name]
    guard old != tie else { return }
    if let old {
      waiting[old]?.remove(name)
      if waiting[old]?.isEmpty == true { waiting[old] = nil }
    }
    ties[name] = tie
    if let tie { waiting[tie, default: []].insert(name) }
  }
}
