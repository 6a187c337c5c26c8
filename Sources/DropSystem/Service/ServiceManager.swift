internal import CLinux
internal import CSystemd
internal import DropEngine
internal import CLinux
internal import Glibc

/// What the daemon tells the service manager that started it: sd_notify(3).
///
/// Without one every call does nothing. They may be made on any thread and read the environment
/// only, so nobody may change it while they run.
package enum ServiceManager {
  /// The first start, or a reload, is over.
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

  /// One line for `systemctl status`; what could steer a terminal is escaped.
  package static func status(_ text: String) {
    notify("STATUS=\(line(text))")
  }

  /// Says that the daemon lives; call it only where something really went on since the last time.
  package static func watchdog() {
    notify("WATCHDOG=1")
  }

  /// Asks for so much more time, from now, for a start, reload or stop that is under way.
  package static func extendTimeout(by duration: Duration) {
    let (seconds, attoseconds) = duration.components
    notify("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)")
  }

  /// How often `watchdog` is to be called: half of what the unit allows; nil where nobody waits for it.
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
