/// The clocks, the timer and the ids that everything above the operating system uses.
///
/// The daemon has the system's. A test has a source whose time stands still until the test advances it.
package final class TimeSource: Sendable {
  /// Calls `action` when ``now`` reaches `deadline`.
  package typealias Schedule = @Sendable (_ deadline: Duration, _ action: @escaping @Sendable () -> Void) -> Void

  private let monotonicClock: @Sendable () -> Duration
  private let wallClock: @Sendable () -> Int64
  private let makeID: @Sendable () -> DropID
  private let timer: nonisolated(nonsending) @Sendable (Duration) async -> Bool
  /// Nil if ``now`` is the kernel's monotonic clock, so that the kernel's own timers can be used.
  package let schedule: Schedule?

  package init(
    monotonicClock: @escaping @Sendable () -> Duration, wallClock: @escaping @Sendable () -> Int64,
    makeID: @escaping @Sendable () -> DropID,
    timer: nonisolated(nonsending) @escaping @Sendable (Duration) async -> Bool, schedule: Schedule? = nil
  ) {
    self.monotonicClock = monotonicClock
    self.wallClock = wallClock
    self.makeID = makeID
    self.timer = timer
    self.schedule = schedule
  }

  /// The time on the monotonic clock, by which everything is measured and decided.
  package var now: Duration { monotonicClock() }

  /// Milliseconds since 1970, for receipts. Nothing may be decided by it: anyone who may set the clock can change it.
  package var wallTime: Int64 { wallClock() }

  /// Returns an id that no other drop has.
  package func newID() -> DropID { makeID() }

  /// Returns true after `duration`, or false as soon as the task is cancelled.
  @discardableResult
  nonisolated(nonsending) package func sleep(for duration: Duration) async -> Bool {
    await timer(duration)
  }
}
