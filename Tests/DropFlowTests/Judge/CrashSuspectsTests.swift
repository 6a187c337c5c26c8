import DropSystem
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct CrashSuspectsTests {
  @Test func `turns follow one another`() async {
    let suspects = CrashSuspects(time: .system)
    let first = await suspects.take()
    let second = Task { await suspects.take() }
    await suspects.leave(first)
    let turn = await second.value
    #expect(turn != first)
    // The first one has left already.
    await suspects.leave(first)
    let third = Task { await suspects.take() }
    await suspects.leave(turn)
    #expect(await third.value != turn)
  }

  @Test func `an examination that hangs does not keep others waiting for ever`() async {
    let suspects = CrashSuspects(time: .system)
    let first = await suspects.take(limit: .milliseconds(10))
    #expect(await suspects.take() != first)
  }
}
