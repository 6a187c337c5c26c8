package import DropEngine

/// Reading, which never waits for a commit and sees every commit that has returned.
extension Ledger {
  /// Returns every payload in hand, oldest first.
  package func drops() throws(LedgerError) -> [Drop] {
    try read { (reader) throws(SQLiteError) in try reader.drops() }
  }

  /// Returns the row of a payload in hand.
  package func drop(_ id: DropID) throws(LedgerError) -> Drop? {
    try read { (reader) throws(SQLiteError) in try reader.drop(id) }
  }

  /// Returns receipts, oldest first.
  ///
  /// - Parameters:
  ///   - since: The earliest end of the drop, in milliseconds since 1970.
  ///   - after: The sequence number of the last receipt that the caller knows.
  package func receipts(
    of zone: String? = nil, since: Int64? = nil, after: Int64 = 0, limit: Int = .max
  ) throws(LedgerError) -> [ReceiptRecord] {
    try read { (reader) throws(SQLiteError) in
      try reader.receipts(of: zone, since: since, after: after, limit: limit)
    }
  }

  /// Returns the last receipt of a drop, which is its outcome.
  package func outcome(of id: DropID) throws(LedgerError) -> ReceiptRecord? {
    try read { (reader) throws(SQLiteError) in try reader.outcome(of: id) }
  }

  /// Returns the last receipt of a zone.
  package func lastReceipt(of zone: String) throws(LedgerError) -> ReceiptRecord? {
    try read { (reader) throws(SQLiteError) in try reader.lastReceipt(of: zone) }
  }

  /// Returns how many payloads a zone has accepted and rejected.
  package func totals(of zone: String) throws(LedgerError) -> ZoneTotals {
    try read { (reader) throws(SQLiteError) in try reader.totals(of: zone) }
  }

  /// Returns the attempts on files that are in a zone.
  package func attempts(in zone: String) throws(LedgerError) -> [AttemptCount] {
    try read { (reader) throws(SQLiteError) in try reader.attempts(in: zone) }
  }

  /// Returns the files of a zone that are not taken again until they change.
  package func originals(in zone: String) throws(LedgerError) -> [CopiedOriginal] {
    try read { (reader) throws(SQLiteError) in try reader.originals(in: zone) }
  }

  /// Returns whether an operator has paused a zone.
  package func isPaused(_ zone: String) throws(LedgerError) -> Bool {
    try meta(LedgerKey.paused(zone)) != nil
  }

  /// Returns the id of the machine's boot during which the daemon was last started.
  package func boot() throws(LedgerError) -> String? { try meta(LedgerKey.boot) }

  /// Returns whether the daemon ended in order when it last ran.
  package func wasStoppedCleanly() throws(LedgerError) -> Bool { try meta(LedgerKey.stop) == LedgerKey.cleanStop }

  private func meta(_ key: String) throws(LedgerError) -> String? {
    try read { (reader) throws(SQLiteError) in try reader.meta(key) }
  }

  /// Returns the roots that were mount points when they were opened.
  package func mountPoints() throws(LedgerError) -> Set<String> {
    try read { (reader) throws(SQLiteError) in try reader.mountPoints() }
  }
}
