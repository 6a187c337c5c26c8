internal import CSQLite

/// One connection to a SQLite database; one thread at a time uses it.
@safe final class SQLiteConnection {
  private let handle: OpaquePointer
  /// Statements that `run` has prepared, by their text.
  private var statements: [String: SQLiteStatement] = [:]

  /// - Parameters:
  ///   - lockTimeout: How long a statement waits for another connection that has locked the database.
  ///   - isShared: Whether other processes may use the database at the same time.
  init(path: String, lockTimeout: Duration = .seconds(5), isShared: Bool = true) throws(SQLiteError) {
    var handle: OpaquePointer?
    // The library's own locking is off, because a connection never has two users at a time.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &handle, flags, isShared ? nil : "unix-excl")
    guard let opened = unsafe handle else { throw SQLiteError(code: code, message: "out of memory") }
    unsafe self.handle = opened
    if code != SQLITE_OK { throw unsafe SQLiteError(code, of: opened) }
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, Int32(clamping: lockTimeout.components.seconds * 1000))
  }

  deinit {
    // Statements may still be there; the database closes with the last of them.
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs SQL that has no parameters and returns no rows.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw unsafe SQLiteError(code, of: handle) }
  }

  func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard let statement = unsafe statement, code == SQLITE_OK else { throw unsafe SQLiteError(code, of: handle) }
    return unsafe SQLiteStatement(handle: statement)
  }

  /// Runs a statement, prepared at its first use, and calls `row` for each row that it returns.
  func run<Column: SQLiteColumn>(
    _ sql: String, _ values: [SQLiteValue] = [], reading: Column.Type, row: (borrowing SQLiteRow<Column>) -> Void
  ) throws(SQLiteError) {
    let known = statements[sql]
    let statement = if let known { known } else { try prepare(sql) }
    if known == nil { statements[sql] = statement }
    try statement.run(values, reading: reading, row: row)
  }
}

extension SQLiteError {
  init(_ code: Int32, of connection: OpaquePointer) {
    self.init(code: code, message: unsafe String(cString: sqlite3_errmsg(connection)))
  }
}
