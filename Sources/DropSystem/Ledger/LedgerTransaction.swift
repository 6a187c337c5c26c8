package import DropEngine

/// What can be written in one commit.
package struct LedgerTransaction: ~Copyable {
  private let connection: SQLiteConnection

  init(connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Writes a payload's row, new or changed.
  package func put(_ drop: Drop) throws(SQLiteError) {
    let (verdict, message): (String?, String?) =
      switch drop.verdict {
      case nil: (nil, nil)
      case .accepted(let message): ("accepted", message)
      case .rejected(let code, let message): (code.rawValue, message)
      }
    try connection.run(
      "INSERT OR REPLACE INTO drops VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      [
        .text(drop.id.description), .text(drop.zone), .blob(drop.location.bytes), .text(drop.state.rawValue),
        .text(drop.operation.rawValue), .text(drop.zonePath), .text(drop.boxPath), .text(drop.rejectsPath),
        .text(drop.holdPath), .text(drop.entry), .integer(Int64(bitPattern: drop.inode)), .integer(drop.birth),
        .integer(drop.size), .integer(drop.modified), .integer(drop.changed), .integer(Int64(drop.links)),
        .integer(Int64(drop.attempts)), .integer(Int64(drop.starts)), .integer(drop.firstSeen),
        .integer(drop.released), .text(drop.evidence.rawValue), .integer(drop.afterCrash ? 1 : 0),
        .integer(drop.isForced ? 1 : 0), .text(orNull: drop.type), .text(orNull: drop.claimedType),
        .text(orNull: drop.grade?.rawValue), .text(orNull: drop.sha256), .text(orNull: verdict),
        .text(orNull: message), .text(orNull: drop.destinationRoot), .blob(drop.destinationDirectory.bytes),
        drop.destinationName.map { .blob($0.bytes) } ?? .null,
        .integer(orNull: drop.copyInode.map { Int64(bitPattern: $0) }), .text(orNull: lines(drop.warnings)),
        .integer(orNull: drop.handler?.exit.map(Int64.init)), .integer(orNull: drop.handler?.signal.map(Int64.init)),
        .text(orNull: drop.handler?.output), drop.source.map { .blob($0.bytes) } ?? .null,
        .integer(orNull: drop.original.map { Int64(bitPattern: $0.inode) }), .integer(orNull: drop.original?.birth),
        .integer(orNull: drop.original?.modified), .integer(orNull: drop.original?.changed),
      ])
  }

  /// Notes how many starts may have died on a payload, unless it has gone on since: to its handler, or to its place.
  package func setStarts(_ starts: Int, of drop: Drop) throws(SQLiteError) {
    try connection.run(
      "UPDATE drops SET starts = ? WHERE id = ? AND state = 'claiming' AND attempts = ?",
      [.integer(Int64(starts)), .text(drop.id.description), .integer(Int64(drop.attempts))])
  }

  /// Removes a payload's row if it is of that state still.
  package func remove(_ id: DropID, in state: Drop.State) throws(SQLiteError) {
    try connection.run("DELETE FROM drops WHERE id = ? AND state = ?", [.text(id.description), .text(state.rawValue)])
  }

  package func remove(_ id: DropID) throws(SQLiteError) {
    try connection.run("DELETE FROM drops WHERE id = ?", [.text(id.description)])
  }

  /// Adds receipts, and counts them.
  package func add(_ records: [ReceiptRecord]) throws(SQLiteError) {
    var totals: [String: (accepted: Int64, rejected: Int64)] = [:]
    for record in records {
      try insert(record)
      switch record.outcome {
      case .delivered, .taken: totals[record.zone, default: (0, 0)].accepted += 1
      case .rejected, .failed: totals[record.zone, default: (0, 0)].rejected += 1
      case .withdrawn, .undone: break
      }
    }
    for (zone, counts) in totals {
      try connection.run(
        """
        INSERT INTO totals VALUES(?,?,?) ON CONFLICT(zone) DO UPDATE
        SET accepted = accepted + excluded.accepted, rejected = rejected + excluded.rejected
        """, [.text(zone), .integer(counts.accepted), .integer(counts.rejected)])
    }
  }

  package func add(_ record: ReceiptRecord) throws(SQLiteError) { try add([record]) }

  private func insert(_ record: ReceiptRecord) throws(SQLiteError) {
    try connection.run(
      "INSERT INTO receipts VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      [
        .text(record.id.description), .text(record.zone), .blob(record.location.bytes), .integer(record.bytes),
        .text(orNull: record.sha256), .text(orNull: record.type), .text(orNull: record.claimedType),
        .text(orNull: record.grade?.rawValue), .text(record.operation.rawValue), .text(record.outcome.rawValue),
        .text(orNull: record.code?.rawValue), .text(orNull: record.message),
        record.place.map { .blob($0.bytes) } ?? .null, .text(orNull: record.evidence?.rawValue),
        .integer(Int64(record.attempts)), .integer(record.firstSeen), .integer(orNull: record.released),
        .integer(record.finished), .integer(record.afterCrash ? 1 : 0), .text(orNull: lines(record.warnings)),
        .integer(orNull: record.handler?.exit.map(Int64.init)),
        .integer(orNull: record.handler?.signal.map(Int64.init)), .text(orNull: record.handler?.output),
        .integer(Int64(bitPattern: record.inode)), .integer(record.birth), .integer(record.modified),
        .text(record.zonePath), .text(record.boxPath), .text(record.rejectsPath), .integer(record.replaced ? 1 : 0),
      ])
  }

  package func put(_ note: AttemptCount, at time: Int64) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO attempts VALUES(?,?,?,?,?,?,?,?)",
      [
        .text(note.zone), .integer(Int64(bitPattern: note.inode)), .integer(note.birth), .blob(note.location.bytes),
        .text(note.id.description), .integer(Int64(note.attempts)), .integer(Int64(note.starts)), .integer(time),
      ])
  }

  package func removeAttempts(_ note: AttemptCount) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM attempts WHERE zone = ? AND inode = ? AND birth = ?",
      [.text(note.zone), .integer(Int64(bitPattern: note.inode)), .integer(note.birth)])
  }

  package func put(_ note: CopiedOriginal) throws(SQLiteError) {
    try put(note, "INSERT OR REPLACE INTO taken VALUES(?,?,?,?,?,?,?,?,?)")
  }

  /// Writes the note of a copy; that of a later drop of the same name stays.
  package func putCopied(_ note: CopiedOriginal) throws(SQLiteError) {
    try put(
      note,
      """
      INSERT INTO taken VALUES(?,?,?,?,?,?,?,?,?) ON CONFLICT(zone, location) DO UPDATE SET
      inode = excluded.inode, birth = excluded.birth, size = excluded.size, modified = excluded.modified,
      changed = excluded.changed, sha256 = excluded.sha256, id = excluded.id WHERE excluded.id >= taken.id
      """)
  }

  private func put(_ note: CopiedOriginal, _ sql: String) throws(SQLiteError) {
    try connection.run(
      sql,
      [
        .text(note.zone), .blob(note.location.bytes), .integer(Int64(bitPattern: note.inode)), .integer(note.birth),
        .integer(note.size), .integer(note.modified), .integer(note.changed), .text(orNull: note.sha256),
        .text(note.id.description),
      ])
  }

  package func removeTaken(zone: String, location: RawPath) throws(SQLiteError) {
    try connection.run("DELETE FROM taken WHERE zone = ? AND location = ?", [.text(zone), .blob(location.bytes)])
  }

  /// Removes the note of a name if it is of that drop.
  package func removeTaken(zone: String, location: RawPath, of id: DropID) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM taken WHERE zone = ? AND location = ? AND id = ?",
      [.text(zone), .blob(location.bytes), .text(id.description)])
  }

  package func setMeta(_ key: String, _ value: String?) throws(SQLiteError) {
    if let value {
      try connection.run("INSERT OR REPLACE INTO meta VALUES(?,?)", [.text(key), .text(value)])
    } else {
      try connection.run("DELETE FROM meta WHERE key = ?", [.text(key)])
    }
  }

  package func setMountPoint(_ path: String, _ isMountPoint: Bool) throws(SQLiteError) {
    try connection.run(
      isMountPoint ? "INSERT OR IGNORE INTO mounts VALUES(?)" : "DELETE FROM mounts WHERE path = ?", [.text(path)])
  }

  private func lines(_ warnings: [String]) -> String? {
    warnings.isEmpty ? nil : warnings.joined(separator: "\n")
  }
}
