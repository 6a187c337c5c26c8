import Dispatch
import Synchronization
import Testing

@testable import DropSystem

@Suite(.timeLimit(.minutes(1))) struct RaceTests {
  @Test func `work that ends first is the result`() async {
    let wasCancelled = Atomic(false)
    let value = await result(of: { 7 }) {
      wasCancelled.store(await !TimerQueue.shared.sleep(for: .seconds(3600)), ordering: .relaxed)
    }
    #expect(value == 7)
    while !wasCancelled.load(ordering: .relaxed) { await Task.yield() }
  }

  @Test func `work that hangs is left behind and goes on`() async {
    let gate = DispatchSemaphore(value: 0)
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let pool = BlockingPool(name: "test", limit: 1)
    let value: Void? = await result(
      of: {
        await pool.run { gate.wait() }
        continuation.finish()
      }, within: .milliseconds(10))
    #expect(value == nil)
    gate.signal()
    for await _ in ends {}
  }

  @Test func `cancelling the caller does not shorten the wait`() async {
    let gate = DispatchSemaphore(value: 0)
    let pool = BlockingPool(name: "test", limit: 1)
    let waiting = Task {
      await result(
        of: {
          await pool.run { gate.wait() }
          return 1
        }, within: .seconds(60))
    }
    waiting.cancel()
    gate.signal()
    #expect(await waiting.value == 1)
  }
}
