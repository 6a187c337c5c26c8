/// Why the ledger could not be opened, read or written.
package enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A later version of this program wrote it.
  case newerVersion(path: String, found: Int64, known: Int64)
  case locked(path: String)
  /// Nothing was written; the same may succeed later.
  case noRoom(path: String, message: String)
  case damaged(path: String, message: String)
  case failed(path: String, message: String)

  package var description: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      "the ledger '\(path)' has version \(found), and this program knows versions up to \(known): run the newer program"
    case .locked(let path): "the ledger '\(path)' is locked by another process"
    case .noRoom(let path, let message): "the ledger '\(path)' cannot be written: \(message)"
    case .damaged(let path, let message): "the ledger '\(path)' is damaged: \(message)"
    case .failed(let path, let message): "the ledger '\(path)' failed: \(message)"
    }
  }

  init(_ error: SQLiteError, at path: String) {
    self =
      if error.isDamage {
        .damaged(path: path, message: error.message)
      } else if error.isBusy {
        .locked(path: path)
      } else if error.isLackOfRoom {
        .noRoom(path: path, message: error.message)
      } else {
        .failed(path: path, message: error.message)
      }
  }
}
