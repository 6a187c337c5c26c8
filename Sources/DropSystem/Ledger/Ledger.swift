internal import DropEngine
internal import Synchronization

/// Why the ledger could not be opened or written.
package enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A later version of this program wrote it.
  case newerVersion(path: String, found: Int64, known: Int64)
  case locked(path: String)
  /// Nothing was written; it may work later.
  case noRoom(path: String, message: String)
  case damaged(path: String, message: String)
  case failed(path: String, message: String)

  package var description: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      "the ledger '\(path)' is of version \(found) and this program knows \(known): run the newer program"
    case .locked(let path): "the ledger '\(path)' is locked by another process"
    case .noRoom(let path, let message): "the ledger '\(path)' cannot be written: \(message)"
    case .damaged(let path, let message): "the ledger '\(path)' is damaged: \(message)"
    case .failed(let path, let message): "the ledger '\(path)' failed: \(message)"
    }
  }
}

/// Receipts, and the rows of what is in hand, in SQLite.
///
/// One thread writes. What was asked for while it was syncing is carried out in the next transaction, all together, so
/// the cost of a commit is shared by whatever is ready. A commit that returned is on the disk (WAL, synchronous=FULL).
package final class Ledger: Sendable {
  package static let version: Int64 = 1

  package let path: String
  /// Where the damaged ledger was put, when this one was begun in its place.
  package let damagedPath: String?
  private let reader: Mutex<LedgerReader>
  private let queue: Mutex<Queue>
  private let bell: Bell

  private struct Queue {
    var waiting: [Entry] = []
    var isStopped = false
  }

  private struct Entry {
    let body: @Sendable (borrowing LedgerTransaction) throws(SQLiteError) -> Void
    let done: @Sendable (LedgerError?) -> Void
  }

  /// Opens the ledger, or begins one.
  ///
  /// A damaged one is renamed aside and a new one begun: `damagedPath` says where the old one is.
  package init(path: String) throws(LedgerError) {
    self.path = path
    var damagedPath: String?
    let connection: SQLiteConnection
    do {
      connection = try Self.open(path)
    } catch .damaged(let path, _) {
      let aside = path + ".damaged-" + Timestamp.text(wallNow()).filter { $0 != ":" }
      for suffix in ["", "-wal", "-shm"] {
        try? Directory.rename(
          RawPath(path + suffix), in: FileDescriptor.workingDirectory, to: RawPath(aside + suffix),
          in: FileDescriptor.workingDirectory)
      }
      damagedPath = aside
      connection = try Self.open(path)
    }
    self.damagedPath = damagedPath
    do {
      reader = Mutex(LedgerReader(connection: try SQLiteConnection(path: path)))
      bell = try Bell()
    } catch let error as SQLiteError {
      throw Self.error(error, path)
    } catch {
      throw .failed(path: path, message: "\(error)")
    }
    queue = Mutex(Queue())
    // The connection goes to the thread for good.
    nonisolated(unsafe) let writing = connection
    Thread { [self] in unsafe write(with: writing) }.start(name: "ledger")
  }

  /// Runs `body` in the next transaction and returns once it is on the disk; who waits needs no thread meanwhile.
  nonisolated(nonsending) package func commit(
    _ body: @escaping @Sendable (borrowing LedgerTransaction) throws(SQLiteError) -> Void
  ) async throws(LedgerError) {
    let failure: LedgerError? = await withCheckedContinuation { continuation in
      enqueue(Entry(body: body) { continuation.resume(returning: $0) })
    }
    if let failure { throw failure }
  }

  /// Reads, beside the writing.
  package func read<Value>(_ body: (borrowing LedgerReader) throws(SQLiteError) -> sending Value) throws(LedgerError)
    -> Value
  {
    do throws(SQLiteError) {
      return try reader.withLock { (reader) throws(SQLiteError) in try body(reader) }
    } catch {
      throw Self.error(error, path)
    }
  }

  /// Lets what is queued be written, and ends the thread.
  package func close() {
    queue.withLock { $0.isStopped = true }
    bell.ring()
  }

  private func enqueue(_ entry: Entry) {
    let stopped = queue.withLock { queue in
      if !queue.isStopped { queue.waiting.append(entry) }
      return queue.isStopped
    }
    if stopped { entry.done(.failed(path: path, message: "it is closed")) } else { bell.ring() }
  }

  private func write(with connection: SQLiteConnection) {
    while true {
      bell.wait()
      let (entries, stopped) = queue.withLock { queue in
        defer { queue.waiting = [] }
        return (queue.waiting, queue.isStopped)
      }
      if !entries.isEmpty {
        let failure = Self.transaction(entries, connection, path)
        for entry in entries { entry.done(failure) }
      }
      if stopped { return }
    }
  }

  private static func transaction(_ entries: [Entry], _ connection: SQLiteConnection, _ path: String) -> LedgerError? {
    do throws(SQLiteError) {
      try connection.execute("BEGIN IMMEDIATE")
      do throws(SQLiteError) {
        let transaction = LedgerTransaction(connection: connection)
        for entry in entries { try entry.body(transaction) }
        try connection.execute("COMMIT")
      } catch {
        try? connection.execute("ROLLBACK")
        throw error
      }
      return nil
    } catch {
      return self.error(error, path)
    }
  }

  private static func open(_ path: String) throws(LedgerError) -> SQLiteConnection {
    do throws(SQLiteError) {
      let connection = try SQLiteConnection(path: path)
      var found: Int64 = 0
      try connection.run("PRAGMA user_version") { found = $0.integer(0) }
      if found > version { throw LedgerVersion.newer(found) }
      try connection.execute("PRAGMA journal_mode=WAL")
      try connection.execute("PRAGMA synchronous=FULL")
      try connection.execute("PRAGMA journal_size_limit=67108864")
      var verdict = "ok"
      try connection.run("PRAGMA quick_check(1)") { verdict = $0.text(0) }
      if verdict != "ok" { throw SQLiteError(code: 11, message: verdict) }
      try connection.execute(LedgerSchema.sql)
      try connection.execute("PRAGMA user_version=\(version)")
      return connection
    } catch {
      if let found = LedgerVersion.found(in: error) {
        throw .newerVersion(path: path, found: found, known: version)
      }
      throw self.error(error, path)
    }
  }

  private static func error(_ error: SQLiteError, _ path: String) -> LedgerError {
    if error.isDamage { return .damaged(path: path, message: error.message) }
    if error.isBusy { return .locked(path: path) }
    if error.isLackOfRoom { return .noRoom(path: path, message: error.message) }
    return .failed(path: path, message: error.message)
  }
}

/// A version that is too new, carried through SQLite's error type.
private enum LedgerVersion {
  static func newer(_ found: Int64) -> SQLiteError { SQLiteError(code: -1, message: String(found)) }
  static func found(in error: SQLiteError) -> Int64? { error.code == -1 ? Int64(error.message) : nil }
}
