/// A column of one of the ledger's tables. Its raw value is its place in that table's statements, which are made from
/// the cases: a value is always written and read by the name of its column.
protocol LedgerColumn: CaseIterable, SQLiteColumn, Sendable {
  static var table: LedgerTable<Self> { get }
}

/// The texts of a table's statements.
struct LedgerTable<Column: LedgerColumn>: Sendable {
  /// Reads all rows; conditions may follow.
  let select: String
  /// Writes a new row.
  let insert: String
  /// Writes a row, new or in place of the one with the same key.
  let replace: String
  let columnsCount: Int

  init(_ name: String) {
    let columns = Column.allCases.map { "\($0)" }
    let list = columns.joined(separator: ", ")
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    select = "SELECT \(list) FROM \(name)"
    insert = "INSERT INTO \(name)(\(list)) VALUES(\(parameters))"
    replace = "INSERT OR REPLACE INTO \(name)(\(list)) VALUES(\(parameters))"
    columnsCount = columns.count
  }
}

/// The values of a row that is to be written; a column that is not set is null.
struct LedgerValues<Column: LedgerColumn> {
  private(set) var list: [SQLiteValue]

  init() {
    list = Array(repeating: .null, count: Column.table.columnsCount)
  }

  subscript(column: Column) -> SQLiteValue {
    get { list[Int(column.rawValue)] }
    set { list[Int(column.rawValue)] = newValue }
  }
}
