internal import CLinux
internal import Glibc

/// The time in this machine's time zone: localtime(3).
package enum LocalTime {
  /// The date and time that a clock on the wall shows.
  package struct Components: Hashable, Sendable {
    package let year, month, day, hour, minute, second: Int
  }

  /// Converts a time in seconds since 1970.
  package static func components(at seconds: Int64) -> Components {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&seconds, &parts)
    return unsafe Components(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
      minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }

  /// The start of the day that contains a time, in seconds since 1970.
  package static func startOfDay(at seconds: Int64) -> Int64 {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&seconds, &parts)
    unsafe parts.tm_hour = 0
    unsafe parts.tm_min = 0
    unsafe parts.tm_sec = 0
    unsafe parts.tm_isdst = -1
    return Int64(unsafe mktime(&parts))
  }
}

/// The clock that people and receipts use, which can jump: clock_gettime(2).
package enum WallClock {
  /// The milliseconds since 1970.
  package static var milliseconds: Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
