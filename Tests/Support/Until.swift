internal import DropSystem

/// Returns once `condition` holds, which it comes to by itself; for threads off the pool.
package func until(_ condition: () -> Bool) {
  while !condition() {
    var pause = PollSet()
    _ = try? pause.wait(atMost: .milliseconds(1))
  }
}
