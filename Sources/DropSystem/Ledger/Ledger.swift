package import DropEngine
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
/// One writes at a time. What was asked for meanwhile is carried out in the next transaction, all together, so the cost
/// of a commit is shared by whatever is ready. A commit that returned is on the disk (WAL, synchronous=FULL).
package final class Ledger: Sendable {
  package static let version: Int64 = 1

  package let path: String
  /// Where the damaged ledger was put, when this one was begun in its place.
  package let damagedPath: String?
  private let reader: Mutex<LedgerReader>
  private let writer: Mutex<SQLiteConnection>
  private let queue: Mutex<Queue>
  private let writing = SerialQueue(name: "ledger")

  private struct Queue {
    var waiting: [Entry] = []
    var isStopped = false
  }

  private struct Entry {
    let changes: [LedgerChange]
    let done: @Sendable (LedgerError?) -> Void
  }

  /// Opens the ledger, or begins one.
  ///
  /// A damaged one is renamed aside and a new one begun: `damagedPath` says where the old one is.
  ///
  /// - Parameter lockTimeout: How long a commit waits for another process that has locked the database.
  package init(path: String, lockTimeout: Duration = .seconds(5)) throws(LedgerError) {
    self.path = path
    var damagedPath: String?
    let connection: SQLiteConnection
    do {
      connection = try Self.open(path, lockTimeout)
    } catch .damaged(let path, _) {
      let aside = path + ".damaged-" + Timestamp.text(wallNow()).filter { $0 != ":" }
      for suffix in ["", "-wal", "-shm"] {
        try? Directory.working.rename(RawPath(path + suffix), to: RawPath(aside + suffix), in: .working)
      }
      damagedPath = aside
      connection = try Self.open(path, lockTimeout)
    }
    self.damagedPath = damagedPath
    do throws(SQLiteError) {
      reader = Mutex(LedgerReader(connection: try SQLiteConnection(path: path, lockTimeout: lockTimeout)))
    } catch {
      throw Self.error(error, path)
    }
    writer = Mutex(connection)
    queue = Mutex(Queue())
  }

  /// Writes `changes` in the next transaction, all of them or none, and returns once they are on the disk. Waiting
  /// occupies no thread.
  ///
  /// - Parameter isAlone: The caller has nothing else to do in the meantime. If nobody else is writing, the calling
  ///   thread writes and waits for the disk, which saves the way to another thread and back.
  nonisolated(nonsending) package func commit(
    _ changes: [LedgerChange], isAlone: Bool = false
  ) async throws(LedgerError) {
    if isAlone, let result = writeNow(changes) { return try result.get() }
    let failure: LedgerError? = await withCheckedContinuation { continuation in
      enqueue(Entry(changes: changes) { continuation.resume(returning: $0) })
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

  /// Refuses further commits; those that wait are still written.
  package func close() {
    queue.withLock { $0.isStopped = true }
  }

  private func enqueue(_ entry: Entry) {
    let (isStopped, isFirst) = queue.withLock { queue in
      if !queue.isStopped { queue.waiting.append(entry) }
      return (queue.isStopped, queue.waiting.count == 1)
    }
    if isStopped { return entry.done(.failed(path: path, message: "it is closed")) }
    // The first is written together with those that come until then.
    if isFirst { writing.enqueue { [self] in write() } }
  }

  private func write() {
    // Entries are taken and written under one lock, so that no later entry is written before them.
    writer.withLock { connection in
      let entries = queue.withLock { queue in
        defer { queue.waiting = [] }
        return queue.waiting
      }
      let failure = Self.transaction(entries.lazy.map(\.changes), connection, path)
      for entry in entries { entry.done(failure) }
    }
  }

  /// Writes here and now; nil where somebody else is at it, or comes first.
  private func writeNow(_ changes: [LedgerChange]) -> Result<Void, LedgerError>? {
    writer.withLockIfAvailable { connection in
      guard queue.withLock({ $0.waiting.isEmpty && !$0.isStopped }) else { return nil }
      return Self.transaction(CollectionOfOne(changes), connection, path).map { .failure($0) } ?? .success(())
    } ?? nil
  }

  private static func transaction(
    _ commits: some Sequence<[LedgerChange]>, _ connection: SQLiteConnection, _ path: String
  ) -> LedgerError? {
    do throws(SQLiteError) {
      try connection.execute("BEGIN IMMEDIATE")
      do throws(SQLiteError) {
        var transaction = LedgerTransaction(connection: connection)
        for changes in commits {
          for change in changes { try transaction.write(change) }
        }
        try transaction.finish()
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

  private static func open(_ path: String, _ lockTimeout: Duration) throws(LedgerError) -> SQLiteConnection {
    do throws(SQLiteError) {
      let connection = try SQLiteConnection(path: path, lockTimeout: lockTimeout)
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
