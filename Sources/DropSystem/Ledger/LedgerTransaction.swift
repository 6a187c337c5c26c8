import DropEngine

/// Writes the changes of one transaction, and counts its receipts once per zone.
struct LedgerTransaction: ~Copyable {
  private let connection: SQLiteConnection
  private var totals: [String: (accepted: Int64, rejected: Int64)] = [:]

  init(connection: SQLiteConnection) {
    self.connection = connection
  }

  mutating func write(_ change: LedgerChange) throws(SQLiteError) {
    switch change {
    case .put(let drop): try put(drop)
    case .remove(let id): try remove(id)
    case .removeIfState(let id, let state): try remove(id, in: state)
    case .setStarts(let starts, let id, let attempts): try setStarts(starts, of: id, attempts: attempts)
    case .addReceipt(let record): try add(record)
    case .putAttempts(let count, let time): try put(count, at: time)
    case .removeAttempts(let count): try removeAttempts(count)
    case .putOriginal(let note): try put(note)
    case .putCopiedOriginal(let note): try putCopied(note)
    case .removeOriginal(let zone, let location, let id): try removeOriginal(zone: zone, location: location, of: id)
    case .setMeta(let key, let value): try setMeta(key, value)
    case .setMountPoint(let path, let isMountPoint): try setMountPoint(path, isMountPoint)
    }
  }

  /// Writes the totals; the last step before the commit.
  consuming func finish() throws(SQLiteError) {
    for (zone, counts) in totals {
      try connection.run(
        """
        INSERT INTO totals VALUES(?,?,?) ON CONFLICT(zone) DO UPDATE
        SET accepted = accepted + excluded.accepted, rejected = rejected + excluded.rejected
        """, [.text(zone), .integer(counts.accepted), .integer(counts.rejected)])
    }
  }

  private func put(_ drop: Drop) throws(SQLiteError) {
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

  private func setStarts(_ starts: Int, of id: DropID, attempts: Int) throws(SQLiteError) {
    try connection.run(
      "UPDATE drops SET starts = ? WHERE id = ? AND state = 'claiming' AND attempts = ?",
      [.integer(Int64(starts)), .text(id.description), .integer(Int64(attempts))])
  }

  private func remove(_ id: DropID, in state: Drop.State) throws(SQLiteError) {
    try connection.run("DELETE FROM drops WHERE id = ? AND state = ?", [.text(id.description), .text(state.rawValue)])
  }

  private func remove(_ id: DropID) throws(SQLiteError) {
    try connection.run("DELETE FROM drops WHERE id = ?", [.text(id.description)])
  }

  private mutating func add(_ record: ReceiptRecord) throws(SQLiteError) {
    try insert(record)
    switch record.outcome {
    case .delivered, .taken: totals[record.zone, default: (0, 0)].accepted += 1
    case .rejected, .failed: totals[record.zone, default: (0, 0)].rejected += 1
    case .withdrawn, .undone: break
    }
  }

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

  private func put(_ note: AttemptCount, at time: Int64) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO attempts VALUES(?,?,?,?,?,?,?,?)",
      [
        .text(note.zone), .integer(Int64(bitPattern: note.inode)), .integer(note.birth), .blob(note.location.bytes),
        .text(note.id.description), .integer(Int64(note.attempts)), .integer(Int64(note.starts)), .integer(time),
      ])
  }

  private func removeAttempts(_ note: AttemptCount) throws(SQLiteError) {
    try connection.run(
      "DELETE FROM attempts WHERE zone = ? AND inode = ? AND birth = ?",
      [.text(note.zone), .integer(Int64(bitPattern: note.inode)), .integer(note.birth)])
  }

  private func put(_ note: CopiedOriginal) throws(SQLiteError) {
    try put(note, "INSERT OR REPLACE INTO taken VALUES(?,?,?,?,?,?,?,?,?)")
  }

  private func putCopied(_ note: CopiedOriginal) throws(SQLiteError) {
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

  private func removeOriginal(zone: String, location: RawPath, of id: DropID?) throws(SQLiteError) {
    if let id {
      try connection.run(
        "DELETE FROM taken WHERE zone = ? AND location = ? AND id = ?",
        [.text(zone), .blob(location.bytes), .text(id.description)])
    } else {
      try connection.run("DELETE FROM taken WHERE zone = ? AND location = ?", [.text(zone), .blob(location.bytes)])
    }
  }

  private func setMeta(_ key: String, _ value: String?) throws(SQLiteError) {
    if let value {
      try connection.run("INSERT OR REPLACE INTO meta VALUES(?,?)", [.text(key), .text(value)])
    } else {
      try connection.run("DELETE FROM meta WHERE key = ?", [.text(key)])
    }
  }

  private func setMountPoint(_ path: String, _ isMountPoint: Bool) throws(SQLiteError) {
    try connection.run(
      isMountPoint ? "INSERT OR IGNORE INTO mounts VALUES(?)" : "DELETE FROM mounts WHERE path = ?", [.text(path)])
  }

  private func lines(_ warnings: [String]) -> String? {
    warnings.isEmpty ? nil : warnings.joined(separator: "\n")
  }
}
