package import DropEngine
internal import Synchronization

/// A source of time that stands still until a test advances it, and of ids that are the same in each run.
///
///     let time = ManualTime()
///     let area = try StagingArea(…, time: time.source)
///     time.advance(by: .seconds(1))
package final class ManualTime: Sendable {
  private struct Timer {
    var deadline: Duration
    var number: Int
    var action: @Sendable () -> Void
  }

  private struct State {
    var now = Duration.seconds(1_000)
    /// What the wall clock shows at the time zero.
    var wallOffset: Int64 = 1_772_348_889_010
    var lastID: UInt64 = 0
    var lastTimer = 0
    var timers: [Timer] = []
    var sleepers: [Int: CheckedContinuation<Bool, Never>] = [:]

    /// The first timer that is due at `moment`, which is removed.
    mutating func takeTimer(until moment: Duration) -> Timer? {
      let due = timers.indices.filter { timers[$0].deadline <= moment }
      let first = due.min { (timers[$0].deadline, timers[$0].number) < (timers[$1].deadline, timers[$1].number) }
      return first.map { timers.remove(at: $0) }
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var source: TimeSource {
    TimeSource(
      monotonicClock: { self.now }, wallClock: { self.wallTime }, makeID: { self.newID() },
      timer: { await self.sleep(for: $0) }, schedule: { self.schedule(at: $0, $1) })
  }

  package var now: Duration { state.withLock { $0.now } }

  /// Milliseconds since 1970. The wall clock advances with the monotonic one.
  package var wallTime: Int64 {
    state.withLock { $0.wallOffset + Int64($0.now / .milliseconds(1)) }
  }

  /// How many timers and sleeping tasks wait for a later time.
  package var waitingCount: Int { state.withLock { $0.timers.count } }

  /// Sets the wall clock forward or back, as an administrator would.
  package func changeWallClock(by milliseconds: Int64) {
    state.withLock { $0.wallOffset += milliseconds }
  }

  /// Advances both clocks. Timers that become due are called here, one after another, at their own times.
  package func advance(by duration: Duration) {
    let end = now + duration
    while let timer = state.withLock({ state in
      let timer = state.takeTimer(until: end)
      state.now = timer.map { max(state.now, $0.deadline) } ?? end
      return timer
    }) {
      timer.action()
    }
  }

  private func newID() -> DropID {
    let milliseconds = UInt64(max(0, wallTime))
    let number = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    return DropID(milliseconds: milliseconds, high: 0, low: number)
  }

  private func schedule(at deadline: Duration, _ action: @escaping @Sendable () -> Void) {
    let isDue = state.withLock { state in
      if deadline <= state.now { return true }
      state.lastTimer += 1
      state.timers.append(Timer(deadline: deadline, number: state.lastTimer, action: action))
      return false
    }
    if isDue { action() }
  }

  private func sleep(for duration: Duration) async -> Bool {
    let number = state.withLock { state in
      state.lastTimer += 1
      return state.lastTimer
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let deadline = state.withLock { state in
          state.sleepers[number] = continuation
          return state.now + duration
        }
        schedule(at: deadline) { self.endSleep(number, isOver: true) }
        // The handler found nothing to end if the task was cancelled before.
        if Task.isCancelled { endSleep(number, isOver: false) }
      }
    } onCancel: {
      endSleep(number, isOver: false)
    }
  }

  private func endSleep(_ number: Int, isOver: Bool) {
    state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume(returning: isOver)
  }
}
