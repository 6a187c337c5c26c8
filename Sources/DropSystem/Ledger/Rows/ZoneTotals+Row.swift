import DropEngine

/// The columns of `totals`.
enum TotalsColumn: Int32, LedgerColumn {
  case zone, accepted, rejected

  static let table = LedgerTable<TotalsColumn>("totals")
}

extension ZoneTotals {
  func row(of zone: String) -> LedgerValues<TotalsColumn> {
    var row = LedgerValues<TotalsColumn>()
    row[.zone] = .text(zone)
    row[.accepted] = .integer(Int64(accepted))
    row[.rejected] = .integer(Int64(rejected))
    return row
  }

  init(_ row: borrowing SQLiteRow<TotalsColumn>) {
    self.init(accepted: Int(row.integer(.accepted)), rejected: Int(row.integer(.rejected)))
  }
}
