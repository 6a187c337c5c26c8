import DropEngine
import DropSystem
import Support
import Testing

/// The source of time that other tests set, and the system's beside it.
@Suite struct ManualTimeTests {
  @Test func `time stands still until it is advanced`() {
    let time = ManualTime()
    let source = time.source
    let (now, wall) = (source.now, source.wallTime)
    #expect(source.now == now && source.wallTime == wall)
    time.advance(by: .milliseconds(1500))
    #expect(source.now == now + .milliseconds(1500))
    #expect(source.wallTime == wall + 1500)
    time.changeWallClock(by: -10_000)
    #expect(source.wallTime == wall - 8500)
  }

  @Test func `a sleep ends when the time has been advanced, or the task is cancelled`() async {
    let time = ManualTime()
    let source = time.source
    let sleeping = Task { await source.sleep(for: .seconds(3600)) }
    until { time.waitingCount == 1 }
    time.advance(by: .seconds(3600))
    #expect(await sleeping.value)
    let cancelled = Task { await source.sleep(for: .seconds(3600)) }
    cancelled.cancel()
    #expect(await !cancelled.value)
    #expect(await source.sleep(for: .zero))
  }

  @Test func `ids are the same in each run, and sorted`() {
    let ids = [ManualTime(), ManualTime()].map { time in (0..<3).map { _ in time.source.newID() } }
    #expect(ids[0] == ids[1])
    #expect(ids[0] == ids[0].sorted())
    #expect(Set(ids[0]).count == 3)
  }

  @Test func `the system's time passes, and its ids differ`() async {
    let source = TimeSource.system
    let (now, wall) = (source.now, source.wallTime)
    #expect(await source.sleep(for: .milliseconds(2)))
    #expect(source.now - now >= .milliseconds(2))
    #expect(source.wallTime > wall - 60_000)
    #expect(source.newID() != source.newID())
  }
}
