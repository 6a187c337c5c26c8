internal import CLinux
package import DropEngine
internal import Glibc

extension TimeSource {
  /// The system's clocks, the shared timer queue, and ids with the kernel's random numbers.
  package static let system = TimeSource(
    monotonicClock: monotonicNow, wallClock: wallNow, makeID: newDropID,
    timer: { await TimerQueue.shared.sleep(for: $0) })
}

/// The time on the clock by which everything is measured. It is monotonic: no one can set it.
package func monotonicNow() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// Milliseconds since 1970, for receipts but not for decisions.
package func wallNow() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
