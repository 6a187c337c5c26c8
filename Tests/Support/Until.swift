internal import DropSystem

/// Waits until `condition` is true. Use it only on threads outside the task pool.
package func until(_ condition: () -> Bool) {
  while !condition() {
    var pause = PollSet()
    _ = try? pause.wait(atMost: .milliseconds(1))
  }
}
