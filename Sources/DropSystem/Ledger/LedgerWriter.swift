import DropEngine

/// Writes transactions to the ledger; one thread at a time uses it.
///
/// Its statements are prepared once, because every payload goes through several of them.
final class LedgerWriter {
  /// Kept open for the statements.
  private let connection: SQLiteConnection
  private let statements: LedgerStatements
  /// What the receipts of the current transaction add to the totals of their zones.
  private var totals: [String: ZoneTotals] = [:]

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    statements = try LedgerStatements(connection)
  }

  /// Writes the changes of some commits in one transaction: all of them, or none.
  func write(_ commits: some Sequence<[LedgerChange]>) throws(SQLiteError) {
    totals.removeAll(keepingCapacity: true)
    try statements.begin.run()
    do throws(SQLiteError) {
      for changes in commits {
        for change in changes { try write(change) }
      }
      for (zone, counts) in totals { try statements.addTotals.run(counts.row(of: zone).list) }
      try statements.commit.run()
    } catch {
      // SQLite may have rolled back already.
      try? statements.rollback.run()
      throw error
    }
  }

  private func write(_ change: LedgerChange) throws(SQLiteError) {
    switch change {
    case .put(let drop): try statements.putDrop.run(drop.row.list)
    case .remove(let id): try statements.removeDrop.run([.text(id.description)])
    case .removeIfState(let id, let state):
      try statements.removeDropInState.run([.text(id.description), .text(state.rawValue)])
    case .setStarts(let starts, let id, let attempts):
      try statements.setStarts.run([.integer(Int64(starts)), .text(id.description), .integer(Int64(attempts))])
    case .addReceipt(let record):
      try statements.addReceipt.run(record.row.list)
      count(record)
    case .putAttempts(let count, let time): try statements.putAttempts.run(count.row(notedAt: time).list)
    case .removeAttempts(let count):
      try statements.removeAttempts.run(
        [.text(count.zone), .integer(Int64(bitPattern: count.inode)), .integer(count.birth)])
    case .putOriginal(let note): try statements.putOriginal.run(note.row.list)
    case .putCopiedOriginal(let note): try statements.putCopiedOriginal.run(note.row.list)
    case .removeOriginal(let zone, let location, let id?):
      try statements.removeOriginalOfDrop.run([.text(zone), .blob(location.bytes), .text(id.description)])
    case .removeOriginal(let zone, let location, nil):
      try statements.removeOriginal.run([.text(zone), .blob(location.bytes)])
    case .setMeta(let key, let value?): try statements.putMeta.run([.text(key), .text(value)])
    case .setMeta(let key, nil): try statements.removeMeta.run([.text(key)])
    case .setMountPoint(let path, true): try statements.putMount.run([.text(path)])
    case .setMountPoint(let path, false): try statements.removeMount.run([.text(path)])
    }
  }

  private func count(_ record: ReceiptRecord) {
    switch record.outcome {
    case .delivered, .taken: totals[record.zone, default: ZoneTotals()].accepted += 1
    case .rejected, .failed: totals[record.zone, default: ZoneTotals()].rejected += 1
    case .withdrawn, .undone: break
    }
  }
}

/// The prepared statements that change the ledger.
private struct LedgerStatements {
  let begin, commit, rollback: SQLiteStatement
  let putDrop, removeDrop, removeDropInState, setStarts: SQLiteStatement
  let addReceipt, addTotals: SQLiteStatement
  let putAttempts, removeAttempts: SQLiteStatement
  let putOriginal, putCopiedOriginal, removeOriginal, removeOriginalOfDrop: SQLiteStatement
  let putMeta, removeMeta, putMount, removeMount: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
    putDrop = try connection.prepare(DropColumn.table.replace)
    removeDrop = try connection.prepare("DELETE FROM drops WHERE id = ?")
    removeDropInState = try connection.prepare("DELETE FROM drops WHERE id = ? AND state = ?")
    setStarts = try connection.prepare(
      "UPDATE drops SET starts = ? WHERE id = ? AND state = 'claiming' AND attempts = ?")
    addReceipt = try connection.prepare(ReceiptColumn.table.insert)
    addTotals = try connection.prepare(
      """
      \(TotalsColumn.table.insert) ON CONFLICT(zone) DO UPDATE
      SET accepted = accepted + excluded.accepted, rejected = rejected + excluded.rejected
      """)
    putAttempts = try connection.prepare(AttemptColumn.table.replace)
    removeAttempts = try connection.prepare("DELETE FROM attempts WHERE zone = ? AND inode = ? AND birth = ?")
    putOriginal = try connection.prepare(OriginalColumn.table.replace)
    putCopiedOriginal = try connection.prepare(
      """
      \(OriginalColumn.table.insert) ON CONFLICT(zone, location) DO UPDATE
      SET inode = excluded.inode, birth = excluded.birth, size = excluded.size, modified = excluded.modified,
      changed = excluded.changed, sha256 = excluded.sha256, id = excluded.id WHERE excluded.id >= originals.id
      """)
    removeOriginal = try connection.prepare("DELETE FROM originals WHERE zone = ? AND location = ?")
    removeOriginalOfDrop = try connection.prepare("DELETE FROM originals WHERE zone = ? AND location = ? AND id = ?")
    putMeta = try connection.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)")
    removeMeta = try connection.prepare("DELETE FROM meta WHERE key = ?")
    putMount = try connection.prepare("INSERT OR IGNORE INTO mounts(path) VALUES(?)")
    removeMount = try connection.prepare("DELETE FROM mounts WHERE path = ?")
  }
}
