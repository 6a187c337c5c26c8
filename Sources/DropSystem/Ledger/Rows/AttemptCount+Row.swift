import DropEngine

/// The columns of `attempts`.
enum AttemptColumn: Int32, LedgerColumn {
  case zone, inode, birth, location, id, attempts, starts, ordinal, noted

  static let table = LedgerTable<AttemptColumn>("attempts")
}

extension AttemptCount {
  func row(notedAt time: Int64) -> LedgerValues<AttemptColumn> {
    var row = LedgerValues<AttemptColumn>()
    row[.zone] = .text(zone)
    row[.inode] = .integer(Int64(bitPattern: inode))
    row[.birth] = .integer(birth)
    row[.location] = .blob(location.bytes)
    row[.id] = .text(id.description)
    row[.attempts] = .integer(Int64(attempts))
    row[.starts] = .integer(Int64(starts))
    row[.ordinal] = .integer(orNull: ordinal.map(Int64.init))
    row[.noted] = .integer(time)
    return row
  }

  /// Nil for a row without a valid id.
  init?(_ row: borrowing SQLiteRow<AttemptColumn>) {
    guard let id = DropID(row.text(.id)) else { return nil }
    self.init(
      zone: row.text(.zone), inode: row.inode(.inode), birth: row.integer(.birth),
      location: RawPath(bytes: row.blob(.location)), id: id, attempts: Int(row.integer(.attempts)),
      starts: Int(row.integer(.starts)), ordinal: row.integerIfAny(.ordinal).map { Int($0) })
  }
}
