import Testing

@testable import DropSystem

@Suite struct SleepTests {
  @Test func `it lasts as long as it is told, and others meanwhile theirs`() async {
    let start = ContinuousClock.now
    async let long = Sleep.wait(.milliseconds(80))
    #expect(await Sleep.wait(.milliseconds(10)))
    #expect(start.duration(to: .now) >= .milliseconds(10))
    #expect(await long)
    #expect(start.duration(to: .now) >= .milliseconds(80))
    #expect(await Sleep.wait(.zero))
    #expect(await Sleep.wait(.seconds(-1)))
  }

  @Test func `a cancellation ends it, whether it has begun or not`() async {
    let sleeping = Task { await Sleep.wait(.seconds(3600)) }
    sleeping.cancel()
    #expect(await !sleeping.value)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let begins = Task {
      begin.yield()
      return await Sleep.wait(.seconds(3600))
    }
    for await _ in begun { break }
    begins.cancel()
    #expect(await !begins.value)
  }

  @Test func `of what was cancelled nothing is left, and nobody is woken for it`() {
    let sleepers = Sleepers()
    for key in 1...1000 as ClosedRange<UInt> { sleepers.add(key, at: monotonicNow() + .seconds(3600)) { _ in } }
    sleepers.remove(1)
    #expect(sleepers.count == 999)
    for key in 400...1000 as ClosedRange<UInt> { sleepers.remove(key) }
    #expect(sleepers.count < 600)
    for key in 2...399 as ClosedRange<UInt> { sleepers.remove(key) }
    #expect(sleepers.count == 0)
  }
}
