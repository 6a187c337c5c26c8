internal import DropEngine

/// Opens the database of a ledger.
enum LedgerFile {
  /// Opens the ledger at `path`, or begins one. A ledger of an earlier version is brought up to this program's.
  ///
  /// A damaged one is renamed first, with what SQLite keeps beside it; `damagedPath` is its new name.
  ///
  /// - Parameters:
  ///   - isShared: Whether other processes may read it.
  ///   - wallTime: Part of the name of a damaged one, in milliseconds since 1970.
  static func open(
    _ path: String, lockTimeout: Duration, isShared: Bool, wallTime: Int64
  ) throws(LedgerError) -> (connection: SQLiteConnection, damagedPath: String?) {
    do throws(LedgerError) {
      return (try openWhole(path, lockTimeout, isShared), nil)
    } catch .damaged(let path, _) {
      let aside = path + ".damaged-" + Timestamp.text(wallTime).filter { $0 != ":" }
      for suffix in ["", "-wal", "-shm"] {
        try? Directory.working.rename(RawPath(path + suffix), to: RawPath(aside + suffix), in: .working)
      }
      return (try openWhole(path, lockTimeout, isShared), aside)
    }
  }

  /// Whether the database lies on a file system that no server answers for.
  ///
  /// Elsewhere, only this process may use it, and SQLite keeps its index in memory. Otherwise it would be in a file that
  /// is mapped, and the kernel would not let the process end before that file is written.
  static func isLocal(_ path: String) -> Bool {
    (try? Directory(RawPath(path).parent).fileSystemKind.evidence.usesLease) ?? true
  }

  private static func openWhole(
    _ path: String, _ lockTimeout: Duration, _ isShared: Bool
  ) throws(LedgerError) -> SQLiteConnection {
    let connection: SQLiteConnection
    let version: Int64
    let verdict: String
    do throws(SQLiteError) {
      connection = try SQLiteConnection(path: path, lockTimeout: lockTimeout, isShared: isShared)
      version = try connection.integer("PRAGMA user_version")
    } catch {
      throw LedgerError(error, at: path)
    }
    // Nothing is written to a ledger that this program does not know.
    guard (0...LedgerSchema.version).contains(version) else {
      throw .newerVersion(path: path, found: version, known: LedgerSchema.version)
    }
    do throws(SQLiteError) {
      try connection.execute("PRAGMA journal_mode=WAL")
      try connection.execute("PRAGMA synchronous=FULL")
      try connection.execute("PRAGMA journal_size_limit=67108864")
      verdict = try connection.text("PRAGMA quick_check(1)")
      if verdict == "ok" { try migrate(connection, from: version) }
    } catch {
      throw LedgerError(error, at: path)
    }
    guard verdict == "ok" else { throw .damaged(path: path, message: verdict) }
    return connection
  }

  /// Brings the tables up to this program's version, all or nothing.
  ///
  /// A ledger that has it is written to nevertheless: one that is locked, or has no room, ends the start.
  private static func migrate(_ connection: SQLiteConnection, from version: Int64) throws(SQLiteError) {
    try connection.execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      for step in LedgerSchema.steps[Int(version)...] { try connection.execute(step) }
      try connection.execute("PRAGMA user_version=\(LedgerSchema.version)")
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}

extension SQLiteConnection {
  /// The integer that a statement returns; 0 if it returns nothing.
  fileprivate func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    var value: Int64 = 0
    try prepare(sql).run(reading: SingleColumn.self) { value = $0.integer(.value) }
    return value
  }

  fileprivate func text(_ sql: String) throws(SQLiteError) -> String {
    var value = ""
    try prepare(sql).run(reading: SingleColumn.self) { value = $0.text(.value) }
    return value
  }
}
