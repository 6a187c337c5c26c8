import DropEngine
import Testing

@testable import DropSystem

/// Who writes, when, and what shares a transaction. Another connection's lock makes the ledger wait.
@Suite struct LedgerCommitTests {
  private func count(_ ledger: Ledger) throws -> Int {
    try ledger.receipts().count
  }

  @Test func `commits that are asked for during a commit share the next transaction`() async throws {
    try await withLedger { ledger in
      let caller = Caller(ledger)
      let lock = try SQLiteConnection(path: ledger.path)
      let before = try Self.transactionsCount(ledger)
      try lock.execute("BEGIN IMMEDIATE")
      try await withThrowingTaskGroup { group in
        for number in 1...20 as ClosedRange<UInt64> {
          group.addTask { try await caller.commit([.addReceipt(LedgerSamples.bareReceipt(number))]) }
        }
        await caller.untilAsked(20)
        try lock.execute("ROLLBACK")
        try await group.waitForAll()
      }
      #expect(try count(ledger) == 20)
      // The first has those that were asked for before the writing thread awoke.
      #expect(try Self.transactionsCount(ledger) - before <= 2)
    }
  }

  @Test func `a caller that is alone writes without giving up its thread`() async throws {
    try await withLedger { ledger in
      let caller = Caller(ledger)
      try await caller.commitBeforeOthers([.addReceipt(LedgerSamples.bareReceipt())])
      #expect(await caller.steps.first == "committed")
      #expect(try count(ledger) == 1)
    }
  }

  @Test func `a caller that is alone waits for a commit that was asked for earlier`() async throws {
    try await withLedger { ledger in
      let caller = Caller(ledger)
      let lock = try SQLiteConnection(path: ledger.path)
      try lock.execute("BEGIN IMMEDIATE")
      async let first: Void = caller.commit([.setBoot("first")])
      await caller.untilAsked(1)
      async let second: Void = caller.commit([.setBoot("second")], isAlone: true)
      await caller.untilAsked(2)
      try lock.execute("ROLLBACK")
      _ = try await (first, second)
      #expect(try ledger.boot() == "second")
    }
  }

  @Test(arguments: [false, true])
  func `a commit that fails changes nothing, and the next one succeeds`(isAlone: Bool) async throws {
    try await withLedger { ledger in
      try SQLiteConnection(path: ledger.path).execute(
        """
        CREATE TRIGGER refuse BEFORE INSERT ON receipts WHEN NEW.zone = 'refused'
        BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
      await #expect(throws: LedgerError.failed(path: ledger.path, message: "no")) {
        try await ledger.commit(
          [.addReceipt(LedgerSamples.bareReceipt()), .addReceipt(LedgerSamples.bareReceipt(zone: "refused"))],
          isAlone: isAlone)
      }
      #expect(try count(ledger) == 0)
      #expect(try ledger.totals(of: "inbox") == ZoneTotals())
      try await ledger.commit([.addReceipt(LedgerSamples.bareReceipt())], isAlone: isAlone)
      #expect(try count(ledger) == 1)
    }
  }

  @Test func `a reader does not wait for a commit, and sees what was committed before`() async throws {
    try await withLedger { ledger in
      let caller = Caller(ledger)
      let lock = try SQLiteConnection(path: ledger.path)
      try await caller.commit([.addReceipt(LedgerSamples.bareReceipt(1))])
      try lock.execute("BEGIN IMMEDIATE")
      async let writing: Void = caller.commit([.addReceipt(LedgerSamples.bareReceipt(2))])
      await caller.untilAsked(2)
      #expect(try count(ledger) == 1)
      try lock.execute("ROLLBACK")
      try await writing
      #expect(try count(ledger) == 2)
    }
  }

  @Test(arguments: [false, true]) func `a closed ledger refuses to write`(isAlone: Bool) async throws {
    try await withLedger { ledger in
      ledger.close()
      await #expect(throws: LedgerError.failed(path: ledger.path, message: "it is closed")) {
        try await ledger.commit([.setMeta("key", "value")], isAlone: isAlone)
      }
    }
  }

  /// How many transactions the write-ahead log has: those frames end one that say how large the database then is.
  private static func transactionsCount(_ ledger: Ledger) throws -> Int {
    let log = try FileDescriptor.open(RawPath(ledger.path + "-wal"), .readOnly).read(at: 0, count: 1 << 24)
    let frames = stride(from: 32, to: log.count, by: 24 + 4096)
    return frames.count { log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }
  }
}

/// Commits on one actor, so that a call on the actor that comes after another finds that one queued or done.
private actor Caller {
  private let ledger: Ledger
  private let (asked, asks) = AsyncStream<Void>.makeStream()
  private var askedCount = 0
  private(set) var steps: [String] = []

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  func commit(_ changes: [LedgerChange], isAlone: Bool = false) async throws(LedgerError) {
    asks.yield()
    try await ledger.commit(changes, isAlone: isAlone)
  }

  /// Returns once so many commits have been asked for, all in all.
  func untilAsked(_ count: Int) async {
    for await _ in asked {
      askedCount += 1
      if askedCount == count { return }
    }
  }

  /// Commits while another task waits for its turn on the actor.
  func commitBeforeOthers(_ changes: [LedgerChange]) async throws(LedgerError) {
    let other = Task { steps.append("other") }
    try await ledger.commit(changes, isAlone: true)
    steps.append("committed")
    await other.value
  }
}
