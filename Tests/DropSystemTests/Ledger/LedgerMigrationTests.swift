import DropEngine
import Testing

@testable import DropSystem

/// A ledger of the first release is carried over when it is opened.
///
/// `Fixtures/ledger-1.db` was written by that release, which was killed while payloads were at every stage. Each zone
/// has the name of what it has in hand: `placing`, `refused`, `returning`, `copied`, `placed`, `copying`, `undo` and
/// `retry`. In `inbox` and `copies`, handlers were running.
@Suite struct LedgerMigrationTests {
  private static var fixture: RawPath { RawPath(#filePath).parent.appending("Fixtures/ledger-1.db") }

  /// Gives `body` the path of a copy of the fixture; `old.db` beside it is another.
  private func withFixture(_ body: (String) async throws -> Void) async throws {
    let scratch = try Scratch()
    let bytes = try FileDescriptor.open(Self.fixture, .readOnly).read(at: 0, count: 1 << 20)
    _ = try scratch.file("old.db", bytes)
    try await body(try scratch.file("ledger.db", bytes))
    withExtendedLifetime(scratch) {}
  }

  private func withLedger(_ body: (Ledger) async throws -> Void) async throws {
    try await withFixture { path in
      // The second start finds a ledger that has been carried over.
      for _ in 0..<2 {
        let ledger = try Ledger(path: path)
        defer { ledger.close() }
        #expect(ledger.damagedPath == nil)
        try await body(ledger)
      }
    }
  }

  @Test func `every value of every row is what it was`() async throws {
    try await withFixture { path in
      try Ledger(path: path).close()
      let connection = try SQLiteConnection(path: path)
      try connection.execute("ATTACH '\(RawPath(path).parent.appending("old.db"))' AS old")
      for (old, new) in ["drops", "receipts", "totals", "attempts", "mounts", "meta"].map({ ($0, $0) })
        + [("taken", "originals")]
      {
        let columns = try connection.texts("SELECT name FROM pragma_table_info('\(old)', 'old')")
          .joined(separator: ", ")
        let before = "SELECT \(columns) FROM old.\(old)"
        let after = "SELECT \(columns) FROM main.\(new)"
        #expect(try connection.texts("SELECT count(*) FROM (\(before))") != ["0"], "\(old)")
        #expect(try connection.texts("SELECT count(*) FROM (\(before) EXCEPT \(after))") == ["0"], "\(old)")
        #expect(try connection.texts("SELECT count(*) FROM (\(after) EXCEPT \(before))") == ["0"], "\(old)")
      }
    }
  }

  @Test func `payloads in hand are read in their states`() async throws {
    try await withLedger { ledger in
      let drops = Dictionary(uniqueKeysWithValues: try ledger.drops().map { ($0.zone, $0) })
      #expect(
        drops.mapValues(\.state) == [
          "inbox": .claiming, "copies": .claiming, "retry": .claiming, "placing": .placing, "refused": .placing,
          "copying": .placing, "copied": .copied, "placed": .placed, "returning": .returning, "undo": .returning,
        ])
      for drop in drops.values {
        #expect(drop.ordinal == 1 && drop.holdIdentity == nil && drop.original?.size == nil, "\(drop.zone)")
        #expect(try ledger.drop(drop.id) == drop)
      }
      let copied = try #require(drops["copied"])
      #expect(copied.copyInode != nil && copied.verdict == .accepted(message: nil))
      #expect(copied.place == "/srv/memory.boxes/copied/wait.txt" && copied.holdPath == "/srv/drop/copied.hold")
      #expect(try #require(drops["refused"]).verdict == .rejected(.handler, message: "not after all"))
      #expect(try #require(drops["undo"]).source == "/srv/box/undo/back.txt")
      #expect(try #require(drops["retry"]).source == "/srv/box/retry.rejects/again.txt")
      #expect(try #require(drops["copying"]).original != nil)
      #expect(try #require(drops["inbox"]).attempts == 1 && drops["inbox"]?.starts == 1)
    }
  }

  @Test func `receipts and totals are read`() async throws {
    try await withLedger { ledger in
      let receipts = try ledger.receipts()
      #expect(receipts.map(\.sequence) == Array(1...16))
      func outcomes(_ zone: String) throws -> [String] {
        try ledger.receipts(of: zone).map { "\($0.location): \($0.outcome) \($0.code?.rawValue ?? "")" }.sorted()
      }
      #expect(
        try outcomes("inbox") == [
          "accept empty.txt: rejected empty", "accept.txt: delivered ", "accept.txt: undone ",
          "crash.txt: failed handler-failed", "reject.txt: rejected handler",
          #"sub/\xFF\u{A}'x accept.txt: delivered "#,
          "taken.txt: taken ", "withdrawn.txt: withdrawn ",
        ])
      #expect(try ledger.receipts(of: "replace").map(\.replaced) == [false, true])
      #expect(try outcomes("typed") == ["program.pdf: rejected type"])
      #expect(try ledger.lastReceipt(of: "copies")?.operation == .copy)
      #expect(try ledger.receipts(of: "inbox").contains { $0.handler?.signal == 9 })
      #expect(try ledger.totals(of: "inbox") == ZoneTotals(accepted: 3, rejected: 3))
      #expect(try ledger.totals(of: "typed") == ZoneTotals(accepted: 0, rejected: 1))
    }
  }

  @Test func `attempts, originals, pauses and mount points are read`() async throws {
    try await withLedger { ledger in
      let attempts = try ledger.attempts(in: "inbox")
      #expect(attempts.map(\.location) == ["notyet.txt"])
      #expect(attempts.first?.attempts == 1 && attempts.first?.ordinal == nil)
      #expect(try ledger.originals(in: "inbox").map(\.location) == ["accept.txt"])
      #expect(try ledger.originals(in: "copies").map(\.location) == ["accept original.txt"])
      #expect(try ledger.originals(in: "copying").map(\.location) == ["wait.txt"])
      #expect(try ledger.isPaused("paused") && !ledger.isPaused("inbox"))
      #expect(try ledger.mountPoints() == ["/srv/memory"])
      #expect(try ledger.boot() != nil)
      #expect(try !ledger.wasStoppedCleanly())
    }
  }

  @Test func `receipts go on with the next number`() async throws {
    try await withFixture { path in
      let ledger = try Ledger(path: path)
      defer { ledger.close() }
      let drop = try #require(try ledger.drops().first { $0.zone == "placing" })
      let record = ReceiptRecord(verdictOf: drop, place: drop.place, finished: 1)
      try await ledger.commit([.addReceipt(record), .remove(drop.id)])
      #expect(try ledger.outcome(of: drop.id)?.sequence == 17)
      #expect(try ledger.totals(of: "placing") == ZoneTotals(accepted: 1, rejected: 0))
    }
  }

  @Test func `a ledger that cannot be carried over stays as it was`() async throws {
    try await withFixture { path in
      do {
        let connection = try SQLiteConnection(path: path)
        // What the last step makes is in its way.
        try connection.execute("CREATE TABLE originals(x)")
      }
      #expect { try Ledger(path: path) } throws: { error in
        if case .failed(path, _)? = error as? LedgerError { true } else { false }
      }
      let connection = try SQLiteConnection(path: path)
      #expect(try connection.texts("PRAGMA user_version") == ["1"])
      #expect(try connection.texts("SELECT count(*) FROM pragma_table_info('drops') WHERE name = 'ordinal'") == ["0"])
      #expect(try connection.texts("SELECT count(*) FROM taken") == ["3"])
    }
  }

  @Test func `a first start that was interrupted is finished`() async throws {
    let scratch = try Scratch()
    let path = scratch("ledger.db")
    do {
      let connection = try SQLiteConnection(path: path)
      try connection.execute(LedgerSchema.steps[0])
      try connection.execute("DROP TABLE mounts")
    }
    let ledger = try Ledger(path: path)
    defer { ledger.close() }
    let drop = LedgerSamples.fullDrop()
    try await ledger.commit([.put(drop), .setMountPoint("/mnt", true)])
    #expect(try ledger.drops() == [drop])
    withExtendedLifetime(scratch) {}
  }

  @Test func `the columns of the statements are those of the tables`() async throws {
    try await withFixture { path in
      try Ledger(path: path).close()
      let connection = try SQLiteConnection(path: path)
      func expectColumns<Column: LedgerColumn>(_: Column.Type, of table: String) throws {
        let names = Column.allCases.map { "\($0)" }
        #expect(try connection.texts("SELECT name FROM pragma_table_info('\(table)')").sorted() == names.sorted())
      }
      try expectColumns(DropColumn.self, of: "drops")
      try expectColumns(ReceiptColumn.self, of: "receipts")
      try expectColumns(AttemptColumn.self, of: "attempts")
      try expectColumns(OriginalColumn.self, of: "originals")
      try expectColumns(TotalsColumn.self, of: "totals")
    }
  }
}

extension SQLiteConnection {
  /// What the only column of each row says.
  fileprivate func texts(_ sql: String) throws(SQLiteError) -> [String] {
    var texts: [String] = []
    try run(sql, reading: SingleColumn.self) { texts.append($0.text(.value)) }
    return texts
  }
}
