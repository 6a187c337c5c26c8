import Testing

@testable import DropEngine

@Suite struct BackoffTests {
  @Test func `each wait is twice as long as the one before, up to the limit`() {
    var backoff = Backoff(limit: .seconds(5))
    #expect(backoff.current == .zero)
    #expect((0..<5).map { _ in backoff.next() } == [1, 2, 4, 5, 5].map { Duration.seconds($0) })
    #expect(backoff.current == .seconds(5))
  }

  @Test func `after a reset the first wait is one second again`() {
    var backoff = Backoff()
    for _ in 0..<10 { _ = backoff.next() }
    #expect(backoff.current == .seconds(60))
    backoff.reset()
    #expect(backoff.next() == .seconds(1))
  }

  @Test func `a limit below one second is kept`() {
    var backoff = Backoff(limit: .milliseconds(200))
    #expect(backoff.next() == .milliseconds(200))
  }
}
