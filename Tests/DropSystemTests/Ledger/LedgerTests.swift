import DropEngine
import DropSystem
import Testing

@Suite struct LedgerTests {
  @Test func `a row comes back with every field it was written with`() async throws {
    try await withLedger { ledger in
      var accepted = LedgerSamples.fullDrop(3)
      accepted.verdict = .accepted(message: "thanks")
      var silent = LedgerSamples.fullDrop(4)
      silent.verdict = .accepted(message: nil)
      let drops = [LedgerSamples.bareDrop(), LedgerSamples.fullDrop(), accepted, silent]
      try await ledger.commit(drops.reversed().map { .put($0) })
      #expect(try ledger.read { (reader) throws(SQLiteError) in try reader.drops() } == drops)
    }
  }

  @Test func `a row is replaced by its next state, and gone when it is removed`() async throws {
    try await withLedger { ledger in
      var drop = LedgerSamples.bareDrop()
      for state in [Drop.State.claiming, .placing, .copied, .placed, .returning, .removing] {
        drop.state = state
        try await ledger.commit([.put(drop)])
        #expect(try ledger.read { (reader) throws(SQLiteError) in try reader.drops() } == [drop])
      }
      try await ledger.commit([.remove(drop.id)])
      #expect(try ledger.read { (reader) throws(SQLiteError) in try reader.drops() }.isEmpty)
    }
  }

  @Test func `a row is removed only in the state that is named`() async throws {
    try await withLedger { ledger in
      let drop = LedgerSamples.bareDrop()
      try await ledger.commit([.put(drop), .removeIfState(drop.id, .placing)])
      #expect(try ledger.read { (reader) throws(SQLiteError) in try reader.drops() } == [drop])
      try await ledger.commit([.removeIfState(drop.id, .claiming)])
      #expect(try ledger.read { (reader) throws(SQLiteError) in try reader.drops() }.isEmpty)
    }
  }

  @Test func `starts are noted only while the payload waits for the verdict of the same attempt`() async throws {
    try await withLedger { ledger in
      var drop = LedgerSamples.bareDrop()
      drop.attempts = 2
      func starts() throws -> [Int] {
        try ledger.read { (reader) throws(SQLiteError) in try reader.drops() }.map(\.starts)
      }
      try await ledger.commit([.put(drop), .setStarts(1, of: drop)])
      #expect(try starts() == [1])
      try await ledger.commit([.setStarts(2, of: drop.id, attempts: 1)])
      #expect(try starts() == [1], "it has gone to its handler again")
      drop.state = .placing
      try await ledger.commit([.put(drop), .setStarts(3, of: drop)])
      #expect(try starts() == [0], "it has gone to its place")
    }
  }

  @Test func `a receipt comes back with every field, numbered in the order of writing`() async throws {
    try await withLedger { ledger in
      var records = [LedgerSamples.bareReceipt(), LedgerSamples.fullReceipt()]
      try await ledger.commit(records.map { .addReceipt($0) })
      records[0].sequence = 1
      records[1].sequence = 2
      #expect(try ledger.read { (reader) throws(SQLiteError) in try reader.receipts() } == records)
    }
  }

  @Test func `totals count what was accepted and rejected, per zone`() async throws {
    try await withLedger { ledger in
      let outcomes: [Receipt.Outcome] = [.delivered, .taken, .rejected, .failed, .failed, .withdrawn, .undone]
      for _ in 0..<2 {
        try await ledger.commit(
          outcomes.map { .addReceipt(LedgerSamples.bareReceipt(1, $0)) }
            + [.addReceipt(LedgerSamples.bareReceipt(zone: "other"))])
      }
      let totals = try ledger.read { (reader) throws(SQLiteError) in try reader.totals() }
      #expect(totals.count == 2)
      #expect(try #require(totals["inbox"]) == (4, 6))
      #expect(try #require(totals["other"]) == (2, 0))
    }
  }

  @Test func `history can be of a zone, since a moment, after a number, and so many`() async throws {
    try await withLedger { ledger in
      try await ledger.commit(
        (1...6 as ClosedRange<UInt64>).map { number in
          let zone = number % 2 == 0 ? "even" : "odd"
          return .addReceipt(LedgerSamples.bareReceipt(number, zone: zone, finished: Int64(number) * 10))
        })
      func numbers(_ zone: String? = nil, since: Int64? = nil, after: Int64 = 0, limit: Int = .max) throws -> [Int64] {
        try ledger.read { (reader) throws(SQLiteError) in
          try reader.receipts(of: zone, since: since, after: after, limit: limit)
        }.map(\.sequence)
      }
      #expect(try numbers() == [1, 2, 3, 4, 5, 6])
      #expect(try numbers("even") == [2, 4, 6])
      #expect(try numbers("none").isEmpty)
      #expect(try numbers(since: 40) == [4, 5, 6])
      #expect(try numbers(since: 41) == [5, 6])
      #expect(try numbers(after: 4) == [5, 6])
      #expect(try numbers(limit: 2) == [1, 2])
      #expect(try numbers("odd", since: 20, after: 3, limit: 1) == [5])
    }
  }

  @Test func `the last receipt of an id is its outcome, and the last of a zone is its last`() async throws {
    try await withLedger { ledger in
      let first = LedgerSamples.bareReceipt(1)
      var undone = first
      undone.outcome = .undone
      let records = [
        first, LedgerSamples.bareReceipt(2, .rejected), undone, LedgerSamples.bareReceipt(3, zone: "other"),
      ]
      try await ledger.commit(records.map { .addReceipt($0) })
      let stranger = LedgerSamples.id(9)
      try ledger.read { (reader) throws(SQLiteError) in
        let outcome = try reader.outcome(of: first.id)
        #expect(outcome?.outcome == .undone)
        let none = try reader.outcome(of: stranger)
        #expect(none == nil)
        let last = try reader.last(of: "inbox")
        #expect(last?.sequence == 3)
        let never = try reader.last(of: "never")
        #expect(never == nil)
      }
    }
  }

  @Test func `notes come back, replace their like, and go`() async throws {
    try await withLedger { ledger in
      let location = RawPath(bytes: [0xFF])
      var attempt = AttemptCount(
        zone: "z", inode: .max, birth: 1, location: location, id: LedgerSamples.id(1), attempts: 2, starts: 3)
      let taken = CopiedOriginal(
        zone: "z", location: location, inode: .max, birth: 1, size: 2, modified: 3, changed: 4, sha256: "ab",
        id: LedgerSamples.id(2))
      var earlier = taken
      earlier.id = LedgerSamples.id(1)
      earlier.inode = 1
      let first = attempt
      attempt.attempts = 7
      let second = attempt
      try await ledger.commit([
        .putAttempts(first, at: 1), .putAttempts(second, at: 2), .putOriginal(taken), .putCopiedOriginal(earlier),
        .setMeta("boot", "one"), .setMeta("boot", "two"), .setMountPoint("/mnt", true), .setMountPoint("/mnt", true),
      ])
      try ledger.read { (reader) throws(SQLiteError) in
        let notes = (try reader.attempts(), try reader.taken())
        #expect(notes == ([second], [taken]))
        let others = (try reader.meta("boot"), try reader.meta("none"), try reader.mountPoints())
        #expect(others == ("two", nil, ["/mnt"]))
      }
      try await ledger.commit([
        .removeAttempts(second), .removeOriginal(zone: "z", location: location, of: LedgerSamples.id(1)),
        .setMeta("boot", nil), .setMountPoint("/mnt", false),
      ])
      try ledger.read { (reader) throws(SQLiteError) in
        let notes = (try reader.attempts(), try reader.taken())
        #expect(notes == ([], [taken]), "the note of another drop stays")
        let others = (try reader.meta("boot"), try reader.mountPoints())
        #expect(others == (nil, []))
      }
      try await ledger.commit([.removeOriginal(zone: "z", location: location, of: nil)])
      try ledger.read { (reader) throws(SQLiteError) in
        let notes = try reader.taken()
        #expect(notes == [])
      }
    }
  }
}
