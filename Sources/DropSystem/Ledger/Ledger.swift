package import DropEngine
internal import Synchronization

/// Receipts, and the rows of the payloads in hand, in a SQLite database.
///
/// One thread at a time writes. Commits that are asked for in the meantime share the next transaction, so that
/// everything that is ready shares its cost. A commit that has returned is on the disk (WAL, synchronous=FULL).
package final class Ledger: Sendable {
  package let path: String
  /// Where a damaged ledger was put when this one was begun in its place.
  package let damagedPath: String?
  private let reader: Mutex<LedgerReader>
  private let writer: Mutex<LedgerWriter>
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

  /// Opens the ledger, or begins one. A ledger of an earlier version is brought up to this program's.
  ///
  /// A damaged one is renamed, and a new one begun: `damagedPath` says where the old one is.
  ///
  /// - Parameter lockTimeout: How long a commit waits for another process that has locked the database.
  package init(
    path: String, lockTimeout: Duration = .seconds(5), time: TimeSource = .system
  ) throws(LedgerError) {
    self.path = path
    let isShared = LedgerFile.isLocal(path)
    let (connection, damagedPath) = try LedgerFile.open(
      path, lockTimeout: lockTimeout, isShared: isShared, wallTime: time.wallTime)
    self.damagedPath = damagedPath
    do throws(SQLiteError) {
      writer = Mutex(try LedgerWriter(connection))
      reader = Mutex(LedgerReader(try SQLiteConnection(path: path, lockTimeout: lockTimeout, isShared: isShared)))
    } catch {
      throw LedgerError(error, at: path)
    }
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

  /// Refuses further commits; those that wait are still written.
  package func close() {
    queue.withLock { $0.isStopped = true }
  }

  func read<Value>(_ body: (borrowing LedgerReader) throws(SQLiteError) -> sending Value) throws(LedgerError) -> Value {
    do throws(SQLiteError) {
      return try reader.withLock { (reader) throws(SQLiteError) in try body(reader) }
    } catch {
      throw LedgerError(error, at: path)
    }
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
    writer.withLock { writer in
      let entries = queue.withLock { queue in
        defer { queue.waiting = [] }
        return queue.waiting
      }
      let failure = write(entries.lazy.map(\.changes), with: writer)
      for entry in entries { entry.done(failure) }
    }
  }

  /// Writes on the calling thread; nil if another thread is writing, or another commit has to be written first.
  private func writeNow(_ changes: [LedgerChange]) -> Result<Void, LedgerError>? {
    writer.withLockIfAvailable { writer in
      guard queue.withLock({ $0.waiting.isEmpty && !$0.isStopped }) else { return nil }
      return write(CollectionOfOne(changes), with: writer).map { .failure($0) } ?? .success(())
    } ?? nil
  }

  private func write(_ commits: some Sequence<[LedgerChange]>, with writer: LedgerWriter) -> LedgerError? {
    do throws(SQLiteError) {
      try writer.write(commits)
      return nil
    } catch {
      return LedgerError(error, at: path)
    }
  }
}
