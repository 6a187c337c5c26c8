import DropEngine
import DropSystem

/// Calls `body` with a new ledger, and closes it.
func withLedger(_ body: (Ledger) async throws -> Void) async throws {
  let scratch = try Scratch()
  // On a busy machine, a test may take long to reach the step that releases its lock.
  let ledger = try Ledger(path: scratch("ledger.db"), lockTimeout: .seconds(300))
  defer { ledger.close() }
  try await body(ledger)
  withExtendedLifetime(scratch) {}
}

enum LedgerSamples {
  static func id(_ number: UInt64) -> DropID {
    DropID(milliseconds: number, random: SystemRandomNumberGenerator())
  }

  /// A row in which only the required fields are set.
  static func bareDrop(_ number: UInt64 = 1) -> Drop {
    Drop(
      id: id(number), zone: "inbox", location: "a.txt", state: .claiming, operation: .move, zonePath: "/z",
      boxPath: "/b", rejectsPath: "/r", holdPath: "/h", entry: "entry", inode: 1, birth: 2, size: 3, modified: 4,
      firstSeen: 5,
      released: 6, evidence: .lease)
  }

  /// A row in which every field is set, each to a different value.
  static func fullDrop(_ number: UInt64 = 2) -> Drop {
    var drop = Drop(
      id: id(number), zone: "Eingang ü", location: RawPath(bytes: [0x64, 0x2F, 0xFF, 0x0A, 0x27]), state: .copied,
      operation: .copy, zonePath: "/zone", boxPath: "/box", rejectsPath: "/rejects", holdPath: "/hold", entry: "e.pdf",
      inode: .max, birth: -7, size: 8, modified: 9, firstSeen: 10, released: 11, evidence: .scans)
    drop.changed = 12
    drop.links = .max
    drop.attempts = 13
    drop.starts = 14
    drop.afterCrash = true
    drop.isForced = true
    drop.source = RawPath(bytes: [0x2F, 0xFE])
    drop.ordinal = 18
    drop.holdIdentity = StoredIdentity(inode: .max - 3, birth: -19)
    drop.original = Drop.Original(inode: .max - 1, birth: 15, modified: 16, changed: 17)
    drop.original?.size = 20
    drop.original?.sha256 = String(repeating: "cd", count: 32)
    drop.type = "application/pdf"
    drop.claimedType = "text/plain"
    drop.grade = .allCases.last
    drop.sha256 = String(repeating: "ab", count: 32)
    drop.verdict = .rejected(.handlerFailed, message: "it said \"no\"\n')--")
    drop.destinationRoot = "/rejects"
    drop.destinationDirectory = RawPath(bytes: [0x64, 0xFD])
    drop.destinationName = RawPath(bytes: [0xFC])
    drop.copyInode = .max - 2
    drop.warnings = ["the owner", "the group"]
    drop.handler = Receipt.HandlerReport(exit: 3, signal: 9, output: "printed\0this")
    return drop
  }

  static func bareReceipt(
    _ number: UInt64 = 1, zone: String = "inbox", _ outcome: Receipt.Outcome = .delivered, finished: Int64 = 100
  ) -> ReceiptRecord {
    ReceiptRecord(
      id: id(number), zone: zone, location: "a", bytes: 1, operation: .move, outcome: outcome, firstSeen: 2,
      finished: finished, inode: 3, birth: 4, modified: 5, zonePath: "/z", boxPath: "/b", rejectsPath: "/r")
  }

  static func fullReceipt(_ number: UInt64 = 2) -> ReceiptRecord {
    ReceiptRecord(
      id: id(number), zone: "Eingang ü", location: RawPath(bytes: [0xFF, 0x2F]), bytes: .max, sha256: "ab",
      type: "a/b", claimedType: "c/d", grade: .allCases.last, operation: .copy, outcome: .failed, code: .crashes,
      message: "it said ')--", place: RawPath(bytes: [0x2F, 0xFE]), evidence: .leaseNoMaps, attempts: 3, firstSeen: 4,
      released: 5, finished: 6, afterCrash: true, warnings: ["one", "two"],
      handler: Receipt.HandlerReport(exit: nil, signal: 9, output: ""), inode: .max, birth: -1, modified: -2,
      zonePath: "/zone", boxPath: "/box", rejectsPath: "/rejects", replaced: true)
  }
}
