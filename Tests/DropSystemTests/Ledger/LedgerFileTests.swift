import Dispatch
import DropEngine
import Glibc
import Synchronization
import Testing

@testable import DropSystem

/// The ledger as a file: its versions, its damages, and its writing thread.
@Suite struct LedgerFileTests {
  private func count(_ ledger: Ledger) throws -> Int {
    try ledger.read { (reader) throws(SQLiteError) in try reader.receipts() }.count
  }

  private func add(_ ledger: Ledger) async throws {
    try await ledger.commit { (transaction) throws(SQLiteError) in try transaction.add(LedgerSamples.bareReceipt()) }
  }

  @Test func `what was committed is there after the next start`() async throws {
    let scratch = try Scratch()
    let path = scratch("ledger.db")
    for round in 0..<3 {
      let ledger = try Ledger(path: path)
      defer { ledger.close() }
      #expect(ledger.damagedPath == nil)
      #expect(try count(ledger) == round)
      try await add(ledger)
    }
    withExtendedLifetime(scratch) {}
  }

  @Test func `a newer version is refused and kept as it is`() async throws {
    let scratch = try Scratch()
    let path = scratch("ledger.db")
    do {
      let connection = try SQLiteConnection(path: path)
      try connection.execute("CREATE TABLE future(x)")
      try connection.execute("PRAGMA user_version=\(Ledger.version + 1)")
    }
    let before = try Self.content(path)
    #expect(throws: LedgerError.newerVersion(path: path, found: Ledger.version + 1, known: Ledger.version)) {
      try Ledger(path: path)
    }
    #expect(try Self.content(path) == before)
    #expect(try Self.names(scratch) == ["ledger.db"])
  }

  @Test func `a file that is no ledger is put aside whole, and a new one begun`() async throws {
    let scratch = try Scratch()
    let garbage = Array(repeating: UInt8(0x5A), count: 10_000)
    let path = try scratch.file("ledger.db", garbage)
    let ledger = try Ledger(path: path)
    defer { ledger.close() }
    let aside = try #require(ledger.damagedPath)
    #expect(aside.hasPrefix(path + ".damaged-"))
    #expect(!aside.contains(":"))
    #expect(try Self.content(aside) == garbage)
    try await add(ledger)
    #expect(try count(ledger) == 1)
    withExtendedLifetime(scratch) {}
  }

  @Test func `a damaged ledger is put aside, and a new one begun`() async throws {
    let scratch = try Scratch()
    let path = scratch("ledger.db")
    do {
      let connection = try SQLiteConnection(path: path)
      try connection.execute(LedgerSchema.sql)
      try connection.execute("PRAGMA user_version=1")
    }
    // Every page but the first, which tells what the file is.
    let file = try FileDescriptor.open(RawPath(path), .readWrite)
    let whole = try file.read(at: 0, count: 1 << 20)
    let rotten = Array(whole.prefix(4096)) + whole.dropFirst(4096).map { ~$0 }
    _ = try scratch.file("ledger.db", rotten)
    let ledger = try Ledger(path: path)
    defer { ledger.close() }
    let aside = try #require(ledger.damagedPath)
    #expect(try Self.content(aside).count == rotten.count)
    try await add(ledger)
    #expect(try count(ledger) == 1)
    withExtendedLifetime(scratch) {}
  }

  @Test func `an empty file becomes a ledger`() async throws {
    let scratch = try Scratch()
    let ledger = try Ledger(path: try scratch.file("ledger.db"))
    defer { ledger.close() }
    #expect(ledger.damagedPath == nil)
    try await add(ledger)
    #expect(try count(ledger) == 1)
    withExtendedLifetime(scratch) {}
  }

  @Test func `a ledger whose directory is missing says so`() throws {
    let scratch = try Scratch()
    #expect(throws: LedgerError.self) { try Ledger(path: scratch("missing/ledger.db")) }
  }

  @Test func `what was asked for during a commit is written together after it`() async throws {
    try await withLedger { ledger in
      // Holds the writer in its first transaction while the others queue up.
      let gate = DispatchSemaphore(value: 0)
      let begun = AsyncStream<Void>.makeStream()
      let (asking, asks) = AsyncStream<Void>.makeStream()
      let committedBefore = Counts()
      async let first: Void = ledger.commit { (_) throws(SQLiteError) in
        begun.continuation.finish()
        gate.wait()
      }
      for await _ in begun.stream {}
      try await withThrowingTaskGroup { group in
        for _ in 0..<20 {
          group.addTask {
            asks.yield()
            try await ledger.commit { (transaction) throws(SQLiteError) in
              try transaction.add(LedgerSamples.bareReceipt())
              let count = try? ledger.read { (reader) throws(SQLiteError) in try reader.receipts() }.count
              committedBefore.values.withLock { $0.append(count ?? -1) }
            }
          }
        }
        var asked = 0
        for await _ in asking {
          asked += 1
          if asked == 20 { break }
        }
        gate.signal()
        try await group.waitForAll()
      }
      try await first
      #expect(try count(ledger) == 20)
      // One that came late may have been written alone; never each of them.
      #expect(Set(committedBefore.values.withLock { $0 }).count < 20)
    }
  }

  @Test func `who is alone writes on its own thread, and waits its turn where it is not`() async throws {
    try await withLedger { ledger in
      let threads = Mutex<[UInt]>([])
      let order = Counts()
      try await ledger.commit(isAlone: true) { (transaction) throws(SQLiteError) in
        threads.withLock { $0.append(UInt(pthread_self())) }
        try transaction.add(LedgerSamples.bareReceipt())
      }
      #expect(threads.withLock { $0 } == [UInt(pthread_self())])
      #expect(try count(ledger) == 1)

      let gate = DispatchSemaphore(value: 0)
      let begun = AsyncStream<Void>.makeStream()
      async let first: Void = ledger.commit { (_) throws(SQLiteError) in
        begun.continuation.finish()
        gate.wait()
        order.values.withLock { $0.append(1) }
      }
      for await _ in begun.stream {}
      async let second: Void = ledger.commit(isAlone: true) { (_) throws(SQLiteError) in
        order.values.withLock { $0.append(2) }
      }
      gate.signal()
      _ = try await (first, second)
      #expect(order.values.withLock { $0 } == [1, 2])
    }
  }

  @Test(arguments: [false, true])
  func `what fails is taken back whole, and the next commit goes through`(isAlone: Bool) async throws {
    try await withLedger { ledger in
      await #expect(throws: LedgerError.failed(path: ledger.path, message: "no")) {
        try await ledger.commit(isAlone: isAlone) { (transaction) throws(SQLiteError) in
          try transaction.add(LedgerSamples.bareReceipt())
          throw SQLiteError(code: 1, message: "no")
        }
      }
      #expect(try count(ledger) == 0)
      try await add(ledger)
      #expect(try count(ledger) == 1)
    }
  }

  @Test func `one reads beside the writing, and sees what was committed before`() async throws {
    try await withLedger { ledger in
      try await add(ledger)
      let gate = DispatchSemaphore(value: 0)
      let begun = AsyncStream<Void>.makeStream()
      async let writing: Void = ledger.commit { (transaction) throws(SQLiteError) in
        try transaction.add(LedgerSamples.bareReceipt())
        begun.continuation.finish()
        gate.wait()
      }
      for await _ in begun.stream {}
      #expect(try count(ledger) == 1)
      gate.signal()
      try await writing
      #expect(try count(ledger) == 2)
    }
  }

  @Test(arguments: [false, true]) func `a closed ledger refuses to write`(isAlone: Bool) async throws {
    try await withLedger { ledger in
      ledger.close()
      await #expect(throws: LedgerError.failed(path: ledger.path, message: "it is closed")) {
        try await ledger.commit(isAlone: isAlone) { (_) throws(SQLiteError) in }
      }
    }
  }

  private static func content(_ path: String) throws -> [UInt8] {
    try FileDescriptor.open(RawPath(path), .readOnly).read(at: 0, count: 1 << 20)
  }

  private static func names(_ scratch: Scratch) throws -> [String] {
    try Directory(scratch.path).names().map(\.description).sorted()
  }
}

/// What was counted, by whatever thread.
private final class Counts: Sendable {
  let values = Mutex<[Int]>([])
}
