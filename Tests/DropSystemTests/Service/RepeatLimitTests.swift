import DropSystem
import Testing

@Suite struct RepeatLimitTests {
  @Test func `the first few messages pass, and the next interval reports how many did not`() {
    var limit = RepeatLimit()
    for _ in 0..<RepeatLimit.burst { #expect(limit.admit("full", at: .zero) == 0) }
    for second in 1...7 { #expect(limit.admit("full", at: .seconds(second)) == nil) }
    #expect(limit.admit("full", at: RepeatLimit.interval) == 7)
    #expect(limit.admit("full", at: RepeatLimit.interval) == 0)
  }

  @Test func `other messages are counted separately`() {
    var limit = RepeatLimit()
    for _ in 0..<100 { _ = limit.admit("a", at: .zero) }
    #expect(limit.admit("b", at: .zero) == 0)
  }

  @Test func `an endless number of different messages uses limited memory, and all pass`() {
    var limit = RepeatLimit()
    for number in 0..<10_000 { #expect(limit.admit("delivered \(number)", at: .milliseconds(number)) == 0) }
    for _ in 0..<RepeatLimit.burst { #expect(limit.admit("late", at: .seconds(60)) == 0) }
    #expect(limit.admit("late", at: .seconds(60)) == nil)
  }
}
