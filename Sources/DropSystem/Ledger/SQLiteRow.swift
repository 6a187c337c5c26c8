internal import CSQLite

/// The columns of a statement's rows, by name: a raw value is a column's number in that statement, from 0.
protocol SQLiteColumn: RawRepresentable<Int32> {}

/// The only column of rows that have one.
enum SingleColumn: Int32, SQLiteColumn {
  case value
}

/// A row that a statement has just returned.
@safe struct SQLiteRow<Column: SQLiteColumn>: ~Copyable {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) {
    unsafe self.statement = statement
  }

  func isNull(_ column: Column) -> Bool { unsafe sqlite3_column_type(statement, column.rawValue) == SQLITE_NULL }
  func integer(_ column: Column) -> Int64 { unsafe sqlite3_column_int64(statement, column.rawValue) }
  func text(_ column: Column) -> String { String(decoding: blob(column), as: UTF8.self) }

  func blob(_ column: Column) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, column.rawValue) else { return [] }
    let count = unsafe sqlite3_column_bytes(statement, column.rawValue)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  func integerIfAny(_ column: Column) -> Int64? { isNull(column) ? nil : integer(column) }
  func textIfAny(_ column: Column) -> String? { isNull(column) ? nil : text(column) }
  func blobIfAny(_ column: Column) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
