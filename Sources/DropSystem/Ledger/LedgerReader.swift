package import DropEngine

/// What can be read.
package struct LedgerReader: ~Copyable {
  private let connection: SQLiteConnection

  init(connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Every payload in hand, oldest first.
  package func drops() throws(SQLiteError) -> [Drop] {
    var drops: [Drop] = []
    try connection.run("SELECT * FROM drops ORDER BY id") { row in
      guard let id = DropID(row.text(0)) else { return }
      var drop = Drop(
        id: id, zone: row.text(1), location: RawPath(bytes: row.blob(2)),
        state: Drop.State(rawValue: row.text(3)) ?? .claiming,
        operation: DeliveryRules.Operation(rawValue: row.text(4)) ?? .move, zonePath: row.text(5), boxPath: row.text(6),
        rejectsPath: row.text(7), holdPath: row.text(8), entry: row.text(9),
        inode: UInt64(bitPattern: row.integer(10)), birth: row.integer(11), size: row.integer(12),
        modified: row.integer(13), firstSeen: row.integer(18), released: row.integer(19),
        evidence: Evidence(rawValue: row.text(20)) ?? .quietOnly)
      drop.changed = row.integer(14)
      drop.links = UInt32(clamping: row.integer(15))
      drop.attempts = Int(row.integer(16))
      drop.starts = Int(row.integer(17))
      drop.afterCrash = row.integer(21) != 0
      drop.isForced = row.integer(22) != 0
      drop.type = row.textIfAny(23)
      drop.claimedType = row.textIfAny(24)
      drop.grade = row.textIfAny(25).flatMap(Grade.init)
      drop.sha256 = row.textIfAny(26)
      if let verdict = row.textIfAny(27) {
        let code = ReasonCode(rawValue: verdict)
        drop.verdict =
          code.map { .rejected($0, message: row.textIfAny(28) ?? "") } ?? .accepted(message: row.textIfAny(28))
      }
      drop.destinationRoot = row.textIfAny(29)
      drop.destinationDirectory = RawPath(bytes: row.blob(30))
      drop.destinationName = row.isNull(31) ? nil : RawPath(bytes: row.blob(31))
      drop.copyInode = row.integerIfAny(32).map { UInt64(bitPattern: $0) }
      drop.warnings = Self.lines(row.textIfAny(33))
      drop.handler = Self.handler(exit: row.integerIfAny(34), signal: row.integerIfAny(35), output: row.textIfAny(36))
      drop.source = row.isNull(37) ? nil : RawPath(bytes: row.blob(37))
      if let inode = row.integerIfAny(38) {
        drop.original = Drop.Original(
          inode: UInt64(bitPattern: inode), birth: row.integer(39), modified: row.integer(40), changed: row.integer(41))
      }
      drops.append(drop)
    }
    return drops
  }

  /// Receipts from oldest to newest.
  package func receipts(
    of zone: String? = nil, since: Int64? = nil, after: Int64 = 0, limit: Int = .max
  ) throws(SQLiteError) -> [ReceiptRecord] {
    var sql = "SELECT * FROM receipts WHERE sequence > ?"
    var values: [SQLiteValue] = [.integer(after)]
    if let zone {
      sql += " AND zone = ?"
      values.append(.text(zone))
    }
    if let since {
      sql += " AND finished >= ?"
      values.append(.integer(since))
    }
    return try receipts(sql + " ORDER BY sequence LIMIT ?", values + [.integer(Int64(clamping: limit))])
  }

  /// The last line of an id, which is its outcome.
  package func outcome(of id: DropID) throws(SQLiteError) -> ReceiptRecord? {
    try receipts("SELECT * FROM receipts WHERE id = ? ORDER BY sequence DESC LIMIT 1", [.text(id.description)]).first
  }

  package func last(of zone: String) throws(SQLiteError) -> ReceiptRecord? {
    try receipts("SELECT * FROM receipts WHERE zone = ? ORDER BY sequence DESC LIMIT 1", [.text(zone)]).first
  }

  package func totals() throws(SQLiteError) -> [String: (accepted: Int, rejected: Int)] {
    var totals: [String: (accepted: Int, rejected: Int)] = [:]
    try connection.run("SELECT zone, accepted, rejected FROM totals") { row in
      totals[row.text(0)] = (Int(row.integer(1)), Int(row.integer(2)))
    }
    return totals
  }

  package func attempts() throws(SQLiteError) -> [AttemptCount] {
    var notes: [AttemptCount] = []
    try connection.run("SELECT zone, inode, birth, location, id, attempts, starts FROM attempts") { row in
      guard let id = DropID(row.text(4)) else { return }
      notes.append(
        AttemptCount(
          zone: row.text(0), inode: UInt64(bitPattern: row.integer(1)), birth: row.integer(2),
          location: RawPath(bytes: row.blob(3)), id: id, attempts: Int(row.integer(5)), starts: Int(row.integer(6))))
    }
    return notes
  }

  package func taken() throws(SQLiteError) -> [CopiedOriginal] {
    var notes: [CopiedOriginal] = []
    try connection.run("SELECT * FROM taken") { row in
      guard let id = DropID(row.text(8)) else { return }
      notes.append(
        CopiedOriginal(
          zone: row.text(0), location: RawPath(bytes: row.blob(1)), inode: UInt64(bitPattern: row.integer(2)),
          birth: row.integer(3), size: row.integer(4), modified: row.integer(5), changed: row.integer(6),
          sha256: row.textIfAny(7), id: id))
    }
    return notes
  }

  package func meta(_ key: String) throws(SQLiteError) -> String? {
    var value: String?
    try connection.run("SELECT value FROM meta WHERE key = ?", [.text(key)]) { value = $0.text(0) }
    return value
  }

  package func mountPoints() throws(SQLiteError) -> Set<String> {
    var paths: Set<String> = []
    try connection.run("SELECT path FROM mounts") { paths.insert($0.text(0)) }
    return paths
  }

  private func receipts(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [ReceiptRecord] {
    var records: [ReceiptRecord] = []
    try connection.run(sql, values) { row in
      guard let id = DropID(row.text(1)), let outcome = Receipt.Outcome(rawValue: row.text(10)) else { return }
      records.append(
        ReceiptRecord(
          sequence: row.integer(0), id: id, zone: row.text(2), location: RawPath(bytes: row.blob(3)),
          bytes: row.integer(4), sha256: row.textIfAny(5), type: row.textIfAny(6), claimedType: row.textIfAny(7),
          grade: row.textIfAny(8).flatMap(Grade.init),
          operation: DeliveryRules.Operation(rawValue: row.text(9)) ?? .move, outcome: outcome,
          code: row.textIfAny(11).flatMap(ReasonCode.init), message: row.textIfAny(12),
          place: row.isNull(13) ? nil : RawPath(bytes: row.blob(13)),
          evidence: row.textIfAny(14).flatMap(Evidence.init), attempts: Int(row.integer(15)),
          firstSeen: row.integer(16), released: row.integerIfAny(17), finished: row.integer(18),
          afterCrash: row.integer(19) != 0, warnings: Self.lines(row.textIfAny(20)),
          handler: Self.handler(
            exit: row.integerIfAny(21), signal: row.integerIfAny(22), output: row.textIfAny(23)),
          inode: UInt64(bitPattern: row.integer(24)), birth: row.integer(25), modified: row.integer(26),
          zonePath: row.text(27), boxPath: row.text(28), rejectsPath: row.text(29), replaced: row.integer(30) != 0))
    }
    return records
  }

  private static func lines(_ text: String?) -> [String] {
    text?.split(separator: "\n").map(String.init) ?? []
  }

  private static func handler(exit: Int64?, signal: Int64?, output: String?) -> Receipt.HandlerReport? {
    output.map {
      Receipt.HandlerReport(
        exit: exit.map { Int32(clamping: $0) }, signal: signal.map { Int32(clamping: $0) }, output: $0)
    }
  }
}
