internal import CLinux
internal import Glibc
internal import Synchronization

/// Writes what happened to the journal, or else to standard error, one line for each record.
///
/// Callers never wait: records go through a queue, and those that find it full because the reader is stuck are counted
/// and the number is reported later. Of equal messages, five in half a minute are written.
package final class Log: Sendable {
  /// The priorities of syslog(3) that a daemon uses.
  package enum Level: Int, Hashable, Sendable, Comparable {
    case error = 3
    case warning, notice, info, debug

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    var word: String {
      switch self {
      case .error: "error: "
      case .warning: "warning: "
      case .notice, .info: ""
      case .debug: "debug: "
      }
    }
  }

  /// How many records may wait.
  package static let queueLimit = 1024
  /// The log of this process.
  package static let shared = Log()

  private let repeats = Mutex(RepeatLimit())
  private let waiting = Atomic(0)
  private let lost = Atomic(0)
  private let threshold = Atomic(Level.info.rawValue)
  private let writer = SerialQueue(name: "log")
  private let clock = SuspendingClock()
  private let start: SuspendingClock.Instant
  /// The descriptor that lines are written to.
  private let file: Int32
  /// Whether `file` leads to the journal.
  private let isJournal: Bool

  /// Writes to standard error, or to the journal if standard error leads there.
  package init() {
    (file, isJournal) = (2, Journal.hasStandardError)
    start = clock.now
  }

  /// Writes lines to a file that must stay open for as long as the log exists.
  package init(linesTo file: Int32) {
    (self.file, isJournal) = (file, false)
    start = clock.now
  }

  package func setThreshold(_ level: Level) {
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  /// Writes `message`, in which names must be escaped, as a `RawPath` is when it is put into a string.
  package func write(_ level: Level, _ message: String, _ fields: [LogField]) {
    guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
    let now = start.duration(to: clock.now)
    guard let leftOut = repeats.withLock({ $0.admit(message, at: now) }) else { return }
    guard waiting.add(1, ordering: .relaxed).newValue <= Self.queueLimit else {
      waiting.subtract(1, ordering: .relaxed)
      lost.add(1, ordering: .relaxed)
      return
    }
    let lost = lost.exchange(0, ordering: .relaxed)
    var record = LogRecord(level: level, message: message, fields: fields)
    if leftOut > 0 { record.message += " (and \(leftOut) earlier repetitions were left out)" }
    writer.enqueue { [record] in
      if lost > 0 {
        self.put(
          LogRecord(
            level: .warning, message: "\(lost) log records were lost because their reader was stuck", fields: []))
      }
      self.put(record)
      self.waiting.subtract(1, ordering: .relaxed)
    }
  }

  /// Blocks until everything is written, or `limit` has passed. Call it at the end of the process.
  @discardableResult
  package func flush(within limit: Duration) -> Bool {
    writer.flush(within: limit)
  }

  private func put(_ record: LogRecord) {
    if isJournal, Journal.send(record) { return }
    let line = Array(LogText.record(record, numbered: isJournal).utf8)
    var written = 0
    while written < line.count {
      let count = unsafe line.withUnsafeBytes { bytes in
        unsafe Glibc.write(file, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
      }
      if count > 0 {
        written += count
      } else if Errno.last != .interrupted {
        return
      }
    }
  }
}

extension Log {
  /// Reports what keeps the daemon from working.
  package static func error(_ message: String, _ fields: LogField...) { shared.write(.error, message, fields) }
  /// Reports what an administrator should know about.
  package static func warning(_ message: String, _ fields: LogField...) { shared.write(.warning, message, fields) }
  /// Reports what has changed for the people who use the zones.
  package static func notice(_ message: String, _ fields: LogField...) { shared.write(.notice, message, fields) }
  /// Reports what went well.
  package static func info(_ message: String, _ fields: LogField...) { shared.write(.info, message, fields) }
  /// Reports what helps to find a fault.
  package static func debug(_ message: String, _ fields: LogField...) { shared.write(.debug, message, fields) }
}
