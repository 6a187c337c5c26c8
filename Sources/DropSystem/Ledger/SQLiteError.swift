internal import CSQLite

/// An error that SQLite returned, with its own message.
struct SQLiteError: Error, Hashable, Sendable {
  /// SQLite's extended result code.
  let code: Int32
  let message: String

  /// The database cannot be written now, for lack of room or of rights: a reason to wait, not to give up.
  var isLackOfRoom: Bool { [SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR].contains(code & 0xFF) }
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
  var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xFF) }
}
