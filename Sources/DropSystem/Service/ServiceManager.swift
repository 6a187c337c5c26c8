internal import CLinux
internal import CSystemd
internal import DropEngine
internal import Glibc

/// Notifications to the service manager that started the daemon: sd_notify(3).
///
/// Without a service manager, they do nothing. They can be sent from any thread. They read the environment, which must
/// not change at the same time.
package enum ServiceManager {
  /// The start or a reload is complete.
  package static func ready(status: String) {
    notify("READY=1\nSTATUS=\(line(status))")
  }

  /// A reload has begun; `ready` ends it.
  package static func reloading() {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    notify("RELOADING=1\nMONOTONIC_USEC=\(Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000)")
  }

  package static func stopping(status: String = "Stopping") {
    notify("STOPPING=1\nSTATUS=\(line(status))")
  }

  /// Sets the line that `systemctl status` shows, with control characters escaped.
  package static func status(_ text: String) {
    notify("STATUS=\(line(text))")
  }

  /// Reports that the daemon is alive. Call it only if the daemon has made progress since the last call.
  package static func watchdog() {
    notify("WATCHDOG=1")
  }

  /// Asks for more time, counted from now, for the current start, reload or stop.
  package static func extendTimeout(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    notify("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)")
  }

  /// How often to call `watchdog`: half of the unit's limit. Nil if the unit sets none.
  package static var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &microseconds) > 0, microseconds > 1 else { return nil }
    return .microseconds(Int64(clamping: microseconds / 2))
  }

  private static func notify(_ state: String) {
    _ = unsafe sd_notify(0, state)
  }

  private static func line(_ text: String) -> String { LogText.line(text) }
}
