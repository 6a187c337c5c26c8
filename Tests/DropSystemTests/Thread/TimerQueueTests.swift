import Dispatch
import Testing

@testable import DropSystem

@Suite(.timeLimit(.minutes(1))) struct TimerQueueTests {
  @Test func `each sleep lasts as long as it was asked to`() async {
    let timers = TimerQueue()
    let start = ContinuousClock.now
    async let long = timers.sleep(for: .milliseconds(80))
    #expect(await timers.sleep(for: .milliseconds(10)))
    #expect(start.duration(to: .now) >= .milliseconds(10))
    #expect(await long)
    #expect(start.duration(to: .now) >= .milliseconds(80))
    #expect(await timers.sleep(for: .zero))
    #expect(await timers.sleep(for: .seconds(-1)))
  }

  @Test func `cancelling the task ends its sleep, whether it has begun or not`() async {
    let sleeping = Task { await TimerQueue.shared.sleep(for: .seconds(3600)) }
    sleeping.cancel()
    #expect(await !sleeping.value)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let begins = Task {
      begin.yield()
      return await TimerQueue.shared.sleep(for: .seconds(3600))
    }
    for await _ in begun { break }
    begins.cancel()
    #expect(await !begins.value)
  }

  /// Returns the numbers with which closures are called that `schedule` schedules for the past while none can be called.
  private func calls(
    _ count: Int, _ schedule: (TimerQueue, @escaping @Sendable (Int) -> Void) -> Void
  ) async -> [Int] {
    let timers = TimerQueue()
    let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
    let (isHeld, held) = AsyncStream.makeStream(of: Never.self)
    let gate = DispatchSemaphore(value: 0)
    timers.schedule(at: .zero) {
      held.finish()
      gate.wait()
    }
    for await _ in isHeld {}
    schedule(timers) { continuation.yield($0) }
    gate.signal()
    var calls: [Int] = []
    for await number in numbers.prefix(count) { calls.append(number) }
    return calls
  }

  @Test func `closures are called in the order of their deadlines`() async {
    let order = await calls(3) { timers, tell in
      for number in [3, 1, 2] { timers.schedule(at: .seconds(number) / 1000) { tell(number) } }
    }
    #expect(order == [1, 2, 3])
  }

  @Test func `a cancelled closure is not called`() async {
    let called = await calls(1) { timers, tell in
      let first = timers.schedule(at: .zero) { tell(1) }
      timers.schedule(at: .zero) { tell(2) }
      timers.cancel(first)
      timers.cancel(first)
    }
    #expect(called == [2])
  }

  @Test func `cancelled timers are not kept`() {
    let timers = TimerQueue()
    let all = (1...1000).map { _ in timers.schedule(at: monotonicNow() + .seconds(3600)) {} }
    timers.cancel(all[0])
    #expect(timers.count == 999)
    for timer in all[399...] { timers.cancel(timer) }
    #expect(timers.count < 600)
    for timer in all[1..<399] { timers.cancel(timer) }
    #expect(timers.count == 0)
  }
}
