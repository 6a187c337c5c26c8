internal import CSQLite

/// A prepared statement of one connection, used by the thread that uses the connection, and only while that is open.
@safe final class SQLiteStatement {
  private let handle: OpaquePointer
  /// The texts and blobs of a run, kept for the next one so that it allocates nothing.
  private var bytes: [UInt8] = []

  init(handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Runs a statement that returns no rows.
  func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
    try run(values, reading: SingleColumn.self) { _ in }
  }

  /// Runs the statement and calls `row` for each row that it returns.
  func run<Column: SQLiteColumn>(
    _ values: [SQLiteValue] = [], reading: Column.Type, row: (borrowing SQLiteRow<Column>) -> Void
  ) throws(SQLiteError) {
    var bytes = bytes
    self.bytes = []
    defer {
      bytes.removeAll(keepingCapacity: true)
      self.bytes = bytes
    }
    for value in values { value.append(to: &bytes) }
    // SQLite does not copy what is bound: the bytes stay in place until the statement is reset.
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe bind(values, in: bytes)
      defer {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
      }
      while true {
        let code = unsafe sqlite3_step(handle)
        guard code == SQLITE_ROW else { return code }
        unsafe row(SQLiteRow(statement: handle))
      }
    }
    if code != SQLITE_DONE { throw unsafe SQLiteError(code, of: sqlite3_db_handle(handle)) }
  }

  /// Binds the values, whose texts and blobs are in `bytes`, one after the other.
  private func bind(_ values: [SQLiteValue], in bytes: UnsafeRawBufferPointer) {
    var start = 0
    for (index, value) in values.enumerated() {
      let parameter = Int32(index + 1)
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, parameter)
      case .integer(let number): unsafe sqlite3_bind_int64(handle, parameter, number)
      case .text(let text):
        let count = text.utf8.count
        unsafe csqlite_bind_text(handle, parameter, bytes.baseAddress, start, count)
        start += count
      case .blob(let blob):
        unsafe csqlite_bind_blob(handle, parameter, bytes.baseAddress, start, blob.count)
        start += blob.count
      }
    }
  }
}
