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

  @Test func `closures are called in the order of their deadlines`() async {
    let timers = TimerQueue()
    let (numbers, told) = AsyncStream.makeStream(of: Int.self)
    let now = monotonicNow()
    for number in [3, 1, 2] { timers.schedule(at: now + .milliseconds(number * 5)) { told.yield(number) } }
    var order: [Int] = []
    for await number in numbers.prefix(3) { order.append(number) }
    #expect(order == [1, 2, 3])
  }

  @Test func `a cancelled closure is not called`() async {
    let timers = TimerQueue()
    let (numbers, told) = AsyncStream.makeStream(of: Int.self)
    let now = monotonicNow()
    let first = timers.schedule(at: now + .milliseconds(10)) { told.yield(1) }
    timers.schedule(at: now + .milliseconds(11)) { told.yield(2) }
    timers.cancel(first)
    for await number in numbers.prefix(1) { #expect(number == 2) }
    timers.cancel(first)
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
