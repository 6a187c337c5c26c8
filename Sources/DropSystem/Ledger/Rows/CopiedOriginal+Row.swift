import DropEngine

/// The columns of `originals`.
enum OriginalColumn: Int32, LedgerColumn {
  case zone, location, inode, birth, size, modified, changed, sha256, id

  static let table = LedgerTable<OriginalColumn>("originals")
}

extension CopiedOriginal {
  var row: LedgerValues<OriginalColumn> {
    var row = LedgerValues<OriginalColumn>()
    row[.zone] = .text(zone)
    row[.location] = .blob(location.bytes)
    row[.inode] = .integer(Int64(bitPattern: inode))
    row[.birth] = .integer(birth)
    row[.size] = .integer(size)
    row[.modified] = .integer(modified)
    row[.changed] = .integer(changed)
    row[.sha256] = .text(orNull: sha256)
    row[.id] = .text(id.description)
    return row
  }

  /// Nil for a row without a valid id.
  init?(_ row: borrowing SQLiteRow<OriginalColumn>) {
    guard let id = DropID(row.text(.id)) else { return nil }
    self.init(
      zone: row.text(.zone), location: RawPath(bytes: row.blob(.location)), inode: row.inode(.inode),
      birth: row.integer(.birth), size: row.integer(.size), modified: row.integer(.modified),
      changed: row.integer(.changed), sha256: row.textIfAny(.sha256), id: id)
  }
}
