import DropEngine
import DropSystem
import Testing

@Suite struct LedgerTests {
  @Test func `a row is read with every field that was written`() async throws {
    try await withLedger { ledger in
      var accepted = LedgerSamples.fullDrop(3)
      accepted.verdict = .accepted(message: "thanks")
      var silent = LedgerSamples.fullDrop(4)
      silent.verdict = .accepted(message: nil)
      let drops = [LedgerSamples.bareDrop(), LedgerSamples.fullDrop(), accepted, silent]
      try await ledger.commit(drops.reversed().map { .put($0) })
      #expect(try ledger.drops() == drops)
    }
  }

  @Test func `a row is replaced in its next state, and can be removed`() async throws {
    try await withLedger { ledger in
      var drop = LedgerSamples.bareDrop()
      for state in [Drop.State.claiming, .placing, .copied, .placed, .returning, .removing] {
        drop.state = state
        try await ledger.commit([.put(drop)])
        #expect(try ledger.drops() == [drop])
        #expect(try ledger.drop(drop.id) == drop)
      }
      try await ledger.commit([.remove(drop.id)])
      #expect(try ledger.drops().isEmpty)
    }
  }

  @Test func `a row can be removed only if it is in a given state`() async throws {
    try await withLedger { ledger in
      let drop = LedgerSamples.bareDrop()
      try await ledger.commit([.put(drop), .removeIfState(drop.id, .placing)])
      #expect(try ledger.drops() == [drop])
      try await ledger.commit([.removeIfState(drop.id, .claiming)])
      #expect(try ledger.drops().isEmpty)
    }
  }

  @Test func `starts are noted only while the payload waits for the verdict of the same attempt`() async throws {
    try await withLedger { ledger in
      var drop = LedgerSamples.bareDrop()
      drop.attempts = 2
      func starts() throws -> [Int] {
        try ledger.drops().map(\.starts)
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

  @Test func `receipts are read with every field, numbered in the order in which they were written`() async throws {
    try await withLedger { ledger in
      var records = [LedgerSamples.bareReceipt(), LedgerSamples.fullReceipt()]
      try await ledger.commit(records.map { .addReceipt($0) })
      records[0].sequence = 1
      records[1].sequence = 2
      #expect(try ledger.receipts() == records)
    }
  }

  @Test func `totals count accepted and rejected payloads for each zone`() async throws {
    try await withLedger { ledger in
      let outcomes: [Receipt.Outcome] = [.delivered, .taken, .rejected, .failed, .failed, .withdrawn, .undone]
      for _ in 0..<2 {
        try await ledger.commit(
          outcomes.map { .addReceipt(LedgerSamples.bareReceipt(1, $0)) }
            + [.addReceipt(LedgerSamples.bareReceipt(zone: "other"))])
      }
      #expect(try ledger.totals(of: "inbox") == ZoneTotals(accepted: 4, rejected: 6))
      #expect(try ledger.totals(of: "other") == ZoneTotals(accepted: 2, rejected: 0))
      #expect(try ledger.totals(of: "none") == ZoneTotals())
    }
  }

  @Test func `receipts can be limited to a zone, a time, a sequence number and a count`() async throws {
    try await withLedger { ledger in
      try await ledger.commit(
        (1...6 as ClosedRange<UInt64>).map { number in
          let zone = number % 2 == 0 ? "even" : "odd"
          return .addReceipt(LedgerSamples.bareReceipt(number, zone: zone, finished: Int64(number) * 10))
        })
      func numbers(_ zone: String? = nil, since: Int64? = nil, after: Int64 = 0, limit: Int = .max) throws -> [Int64] {
        try ledger.receipts(of: zone, since: since, after: after, limit: limit).map(\.sequence)
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

  @Test func `the outcome of a drop is its last receipt, and a zone has a last receipt too`() async throws {
    try await withLedger { ledger in
      let first = LedgerSamples.bareReceipt(1)
      var undone = first
      undone.outcome = .undone
      let records = [
        first, LedgerSamples.bareReceipt(2, .rejected), undone, LedgerSamples.bareReceipt(3, zone: "other"),
      ]
      try await ledger.commit(records.map { .addReceipt($0) })
      #expect(try ledger.outcome(of: first.id)?.outcome == .undone)
      #expect(try ledger.outcome(of: LedgerSamples.id(9)) == nil)
      #expect(try ledger.lastReceipt(of: "inbox")?.sequence == 3)
      #expect(try ledger.lastReceipt(of: "none") == nil)
    }
  }

  @Test func `the count for a file replaces the one before it, and belongs to a zone`() async throws {
    try await withLedger { ledger in
      var count = AttemptCount(
        zone: "z", inode: .max, birth: 1, location: RawPath(bytes: [0xFF]), id: LedgerSamples.id(1), attempts: 2,
        starts: 3)
      try await ledger.commit([.putAttempts(count, at: 1)])
      #expect(try ledger.attempts(in: "z") == [count])
      count.attempts = 7
      count.ordinal = 4
      try await ledger.commit([.putAttempts(count, at: 2)])
      #expect(try ledger.attempts(in: "z") == [count])
      #expect(try ledger.attempts(in: "y").isEmpty)
      try await ledger.commit([.removeAttempts(count)])
      #expect(try ledger.attempts(in: "z").isEmpty)
    }
  }

  @Test func `the note of an original is replaced, but not by one of an earlier drop`() async throws {
    try await withLedger { ledger in
      let location = RawPath(bytes: [0xFF])
      let ids = (0...3).map { LedgerSamples.id($0) }
      func note(_ drop: Int, zone: String = "z") -> CopiedOriginal {
        CopiedOriginal(
          zone: zone, location: location, inode: .max - UInt64(drop), birth: 1, size: 2, modified: 3, changed: 4,
          sha256: "ab",
          id: ids[drop])
      }
      try await ledger.commit([.putOriginal(note(2)), .putOriginal(note(1, zone: "y")), .putCopiedOriginal(note(1))])
      #expect(try ledger.originals(in: "z") == [note(2)])
      #expect(try ledger.originals(in: "y") == [note(1, zone: "y")])
      try await ledger.commit([.putCopiedOriginal(note(3))])
      #expect(try ledger.originals(in: "z") == [note(3)])
      try await ledger.commit([.putOriginal(note(1))])
      #expect(try ledger.originals(in: "z") == [note(1)])
      try await ledger.commit([.removeOriginal(zone: "z", location: location, of: ids[3])])
      #expect(try ledger.originals(in: "z") == [note(1)], "the note of another drop stays")
      try await ledger.commit([.removeOriginal(zone: "z", location: location, of: nil)])
      #expect(try ledger.originals(in: "z").isEmpty)
      #expect(try ledger.originals(in: "y") == [note(1, zone: "y")])
    }
  }

  @Test func `the daemon's own values are set and removed`() async throws {
    try await withLedger { ledger in
      #expect(try ledger.boot() == nil)
      #expect(try !ledger.wasStoppedCleanly() && !ledger.isPaused("z"))
      try await ledger.commit([.setBoot("one"), .setBoot("two"), .setCleanStop(true), .setPaused("z", true)])
      #expect(try ledger.boot() == "two")
      #expect(try ledger.wasStoppedCleanly() && ledger.isPaused("z") && !ledger.isPaused("y"))
      try await ledger.commit([.setCleanStop(false), .setPaused("z", false)])
      #expect(try !ledger.wasStoppedCleanly() && !ledger.isPaused("z"))
    }
  }

  @Test func `mount points are noted once and forgotten`() async throws {
    try await withLedger { ledger in
      try await ledger.commit([.setMountPoint("/a", true), .setMountPoint("/a", true), .setMountPoint("/b", true)])
      #expect(try ledger.mountPoints() == ["/a", "/b"])
      try await ledger.commit([.setMountPoint("/a", false)])
      #expect(try ledger.mountPoints() == ["/b"])
    }
  }
}
