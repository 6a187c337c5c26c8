import DropEngine

/// Reads the ledger; one thread at a time uses it.
struct LedgerReader: ~Copyable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  func drops() throws(SQLiteError) -> [Drop] { try drops(DropColumn.table.select + " ORDER BY id", []) }

  func drop(_ id: DropID) throws(SQLiteError) -> Drop? {
    try drops(DropColumn.table.select + " WHERE id = ?", [.text(id.description)]).first
  }

  func receipts(
    of zone: String?, since: Int64?, after: Int64, limit: Int
  ) throws(SQLiteError) -> [ReceiptRecord] {
    var conditions = " WHERE sequence > ?"
    var values: [SQLiteValue] = [.integer(after)]
    if let zone {
      conditions += " AND zone = ?"
      values.append(.text(zone))
    }
    if let since {
      conditions += " AND finished >= ?"
      values.append(.integer(since))
    }
    return try receipts(conditions + " ORDER BY sequence LIMIT ?", values + [.integer(Int64(clamping: limit))])
  }

  func outcome(of id: DropID) throws(SQLiteError) -> ReceiptRecord? {
    try receipts(" WHERE id = ? ORDER BY sequence DESC LIMIT 1", [.text(id.description)]).first
  }

  func lastReceipt(of zone: String) throws(SQLiteError) -> ReceiptRecord? {
    try receipts(" WHERE zone = ? ORDER BY sequence DESC LIMIT 1", [.text(zone)]).first
  }

  func totals(of zone: String) throws(SQLiteError) -> ZoneTotals {
    var totals = ZoneTotals()
    try connection.run(TotalsColumn.table.select + " WHERE zone = ?", [.text(zone)], reading: TotalsColumn.self) {
      totals = ZoneTotals($0)
    }
    return totals
  }

  func attempts(in zone: String) throws(SQLiteError) -> [AttemptCount] {
    var counts: [AttemptCount] = []
    try connection.run(AttemptColumn.table.select + " WHERE zone = ?", [.text(zone)], reading: AttemptColumn.self) {
      if let count = AttemptCount($0) { counts.append(count) }
    }
    return counts
  }

  func originals(in zone: String) throws(SQLiteError) -> [CopiedOriginal] {
    var notes: [CopiedOriginal] = []
    try connection.run(OriginalColumn.table.select + " WHERE zone = ?", [.text(zone)], reading: OriginalColumn.self) {
      if let note = CopiedOriginal($0) { notes.append(note) }
    }
    return notes
  }

  func meta(_ key: String) throws(SQLiteError) -> String? {
    var value: String?
    try connection.run("SELECT value FROM meta WHERE key = ?", [.text(key)], reading: SingleColumn.self) {
      value = $0.text(.value)
    }
    return value
  }

  func mountPoints() throws(SQLiteError) -> Set<String> {
    var paths: Set<String> = []
    try connection.run("SELECT path FROM mounts", reading: SingleColumn.self) { paths.insert($0.text(.value)) }
    return paths
  }

  private func drops(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [Drop] {
    var drops: [Drop] = []
    try connection.run(sql, values, reading: DropColumn.self) { row in
      if let drop = Drop(row) { drops.append(drop) }
    }
    return drops
  }

  private func receipts(_ conditions: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [ReceiptRecord] {
    var records: [ReceiptRecord] = []
    try connection.run(ReceiptColumn.table.select + conditions, values, reading: ReceiptColumn.self) { row in
      if let record = ReceiptRecord(row) { records.append(record) }
    }
    return records
  }
}
