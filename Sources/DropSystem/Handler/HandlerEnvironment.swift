internal import CLinux
internal import Glibc

/// The environment of a handler: the daemon's, without the variables that are only for the daemon.
enum HandlerEnvironment {
  /// The variables of the service manager for the daemon: sd_notify(3), sd_listen_fds(3), sd_watchdog_enabled(3). With
  /// them, a handler could send notifications in place of the daemon.
  private static let own: Set<String> = [
    "NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "WATCHDOG_PID", "WATCHDOG_USEC", "JOURNAL_STREAM",
    "INVOCATION_ID", "MAINPID", "MANAGERPID",
  ]

  /// The `NAME=value` strings. Values are bytes, so that any file name passes through unchanged.
  static func block(adding: [(name: String, value: [UInt8])]) -> [[UInt8]] {
    let equals = UInt8(ascii: "=")
    let replaced = own.union(adding.map(\.name))
    let kept = inherited().filter { entry in
      !replaced.contains(String(decoding: entry.prefix { $0 != equals }, as: UTF8.self))
    }
    return kept + adding.map { Array($0.name.utf8) + [equals] + $0.value }
  }

  private static func inherited() -> [[UInt8]] {
    var entries: [[UInt8]] = []
    guard var next = unsafe clinux_environment() else { return [] }
    while let entry = unsafe next.pointee {
      let length = unsafe strlen(entry)
      entries.append(unsafe UnsafeRawBufferPointer(start: entry, count: length).map { $0 })
      unsafe next += 1
    }
    return entries
  }
}
