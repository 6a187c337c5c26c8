internal import CLinux
internal import Glibc

/// Milliseconds since 1970: for receipts, never for deciding.
package func wallNow() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
