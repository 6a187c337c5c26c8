internal import CSQLite

/// What SQLite answered instead of doing what it was asked.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: Int32
  package let message: String

  package var description: String { message }

  /// No room, or no right to write, where the database lies: a wait and not the end.
  package var isLackOfRoom: Bool {
    [SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR].contains(code & 0xFF)
  }

  package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
  package var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) }
}

/// One connection to a SQLite database; one thread at a time uses it.
@safe final class SQLiteConnection {
  private let handle: OpaquePointer
  /// Prepared once, by their text.
  private var statements: [String: SQLiteStatement] = [:]
  /// Room for the texts and blobs of a statement while it runs, kept for the next.
  private var room: [UInt8] = []

  init(path: String, lockTimeout: Duration = .seconds(5)) throws(SQLiteError) {
    var handle: OpaquePointer?
    let mode = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // The library's own locking is off: a connection never has two users.
    let code = unsafe sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard let opened = unsafe handle else { throw SQLiteError(code: code, message: "out of memory") }
    unsafe self.handle = opened
    if code != SQLITE_OK { throw error(code) }
    unsafe sqlite3_extended_result_codes(opened, 1)
    unsafe sqlite3_busy_timeout(opened, Int32(clamping: lockTimeout.components.seconds * 1000))
  }

  deinit {
    statements = [:]
    unsafe sqlite3_close_v2(handle)
  }

  /// Runs SQL that has no parameters and whose rows nobody wants.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  /// Runs one statement and calls `row` for each row it yields.
  func run(_ sql: String, _ values: [SQLiteValue] = [], row: (borrowing SQLiteRow) -> Void = { _ in })
    throws(SQLiteError)
  {
    let statement = try prepared(sql)
    var bytes = room
    room = []
    defer {
      bytes.removeAll(keepingCapacity: true)
      room = bytes
    }
    for value in values { value.append(to: &bytes) }
    // What is bound is not copied: it stays where it is until the statement is reset.
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe statement.bind(values, lyingIn: bytes)
      defer { statement.reset() }
      while true {
        let code = statement.step()
        guard code == SQLITE_ROW else { return code }
        unsafe row(SQLiteRow(statement: statement.handle))
      }
    }
    if code != SQLITE_DONE { throw error(code) }
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard let prepared = unsafe handle, code == SQLITE_OK else { throw error(code) }
    let statement = unsafe SQLiteStatement(handle: prepared)
    statements[sql] = statement
    return statement
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
  }
}

/// What is put into a statement.
enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  static func text(orNull text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
  static func integer(orNull value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .null, .integer: break
    case .text(let text): bytes += text.utf8
    case .blob(let blob): bytes += blob
    }
  }
}

@safe private final class SQLiteStatement {
  let handle: OpaquePointer

  init(handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// Binds what lies in `bytes`, one after the other, which stay there until `reset`.
  func bind(_ values: [SQLiteValue], lyingIn bytes: UnsafeRawBufferPointer) {
    var start = 0
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .null: unsafe sqlite3_bind_null(handle, place)
      case .integer(let number): unsafe sqlite3_bind_int64(handle, place, number)
      case .text(let text):
        let count = text.utf8.count
        unsafe csqlite_bind_text(handle, place, bytes.baseAddress, start, count)
        start += count
      case .blob(let blob):
        unsafe csqlite_bind_blob(handle, place, bytes.baseAddress, start, blob.count)
        start += blob.count
      }
    }
  }

  func step() -> Int32 { unsafe sqlite3_step(handle) }

  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }
}

/// A row while it is being looked at; columns count from 0.
@safe struct SQLiteRow: ~Copyable {
  fileprivate let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }
  func integerIfAny(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }
  func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
