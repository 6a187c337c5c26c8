internal import CLinux
internal import Glibc
internal import Synchronization

/// Says what happened, to the journal or else to standard error, one line a record.
///
/// Never waits: records go through a queue, and what a stuck reader leaves no room for is counted and
/// said later. Equal messages that repeat are cut down to five in half a minute.
package final class Log: Sendable {
  /// syslog(3)'s priorities, as far as a daemon has use for them.
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
  /// Where lines go.
  private let file: Int32
  /// Whether `file` is the journal's.
  private let isJournal: Bool

  /// Standard error, or the journal where that is the same.
  package init() {
    (file, isJournal) = (2, Journal.hasStandardError)
    start = clock.now
  }

  /// Lines to a file that outlives the log.
  package init(linesTo file: Int32) {
    (self.file, isJournal) = (file, false)
    start = clock.now
  }

  package func setThreshold(_ level: Level) {
    threshold.store(level.rawValue, ordering: .relaxed)
  }

  /// Says `message`; names in it are escaped already, as a `RawPath` is when it is put into a string.
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
    if leftOut > 0 { record.message += " (and \(leftOut) times before that were left out)" }
    writer.enqueue { [record] in
      if lost > 0 {
        self.put(LogRecord(level: .warning, message: "\(lost) log records were lost: nobody took them", fields: []))
      }
      self.put(record)
      self.waiting.subtract(1, ordering: .relaxed)
    }
  }

  /// Waits until everything has been taken, or the time is up; for the end of the process.
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
  /// What keeps the daemon from its work.
  package static func error(_ message: String, _ fields: LogField...) { shared.write(.error, message, fields) }
  /// What somebody should look at.
  package static func warning(_ message: String, _ fields: LogField...) { shared.write(.warning, message, fields) }
  /// What changed for the people who use the zones.
  package static func notice(_ message: String, _ fields: LogField...) { shared.write(.notice, message, fields) }
  /// What went as it should.
  package static func info(_ message: String, _ fields: LogField...) { shared.write(.info, message, fields) }
  /// What helps to find a fault.
  package static func debug(_ message: String, _ fields: LogField...) { shared.write(.debug, message, fields) }
}
