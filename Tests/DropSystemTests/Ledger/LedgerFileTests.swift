import DropEngine
import Testing

@testable import DropSystem

/// The ledger as a file: its versions, and what becomes of a damaged one.
@Suite struct LedgerFileTests {
  private func count(_ ledger: Ledger) throws -> Int {
    try ledger.receipts().count
  }

  private func add(_ ledger: Ledger) async throws {
    try await ledger.commit([.addReceipt(LedgerSamples.bareReceipt())])
  }

  @Test func `a commit is still there after the next start`() async throws {
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

  @Test func `a ledger of a newer version is refused and left as it is`() async throws {
    let scratch = try Scratch()
    let path = scratch("ledger.db")
    do {
      let connection = try SQLiteConnection(path: path)
      try connection.execute("CREATE TABLE future(x)")
      try connection.execute("PRAGMA user_version=\(LedgerSchema.version + 1)")
    }
    let before = try Self.content(path)
    #expect(throws: LedgerError.newerVersion(path: path, found: LedgerSchema.version + 1, known: LedgerSchema.version))
    {
      try Ledger(path: path)
    }
    #expect(try Self.content(path) == before)
    #expect(try Self.names(scratch) == ["ledger.db"])
  }

  @Test func `a file that is not a ledger is renamed, and a new ledger is begun`() async throws {
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

  @Test func `a damaged ledger is renamed, and a new one is begun`() async throws {
    let scratch = try Scratch()
    let path = scratch("ledger.db")
    do {
      let connection = try SQLiteConnection(path: path)
      for step in LedgerSchema.steps { try connection.execute(step) }
      try connection.execute("PRAGMA user_version=\(LedgerSchema.version)")
    }
    // All pages but the first are inverted; the first says that the file is a database.
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

  @Test func `a ledger in a missing directory cannot be opened`() throws {
    let scratch = try Scratch()
    #expect(throws: LedgerError.self) { try Ledger(path: scratch("missing/ledger.db")) }
  }

  private static func content(_ path: String) throws -> [UInt8] {
    try FileDescriptor.open(RawPath(path), .readOnly).read(at: 0, count: 1 << 20)
  }

  private static func names(_ scratch: Scratch) throws -> [String] {
    try Directory(scratch.path).names().map(\.description).sorted()
  }
}
