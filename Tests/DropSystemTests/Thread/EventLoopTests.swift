import DropSystem
import Glibc
import Support
import Synchronization
import Testing

@Suite struct EventLoopTests {
  /// Work in turns, each of which enqueues the next, such as the scan of a big tree.
  private final class LongWork: Sendable {
    private let loop: EventLoop
    private let isInterrupted = Atomic(false)

    init(on loop: EventLoop) { self.loop = loop }

    func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// Whether it was interrupted before it gave up.
    func run(after begin: @escaping @Sendable () -> Void) async -> Bool {
      await withCheckedContinuation { continuation in
        loop.perform { [self] in
          begin()
          turn(1) { continuation.resume(returning: $0) }
        }
      }
    }

    private func turn(_ number: Int, _ over: @escaping @Sendable (Bool) -> Void) {
      let isOver = isInterrupted.load(ordering: .relaxed)
      if isOver || number == 100_000 { return over(isOver) }
      loop.perform { [self] in turn(number + 1, over) }
    }
  }

  @Test func `a descriptor is read while work goes on and on`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let (number, writing) = (ends[0], ends[1])
    defer { for end in ends { close(end) } }
    let loop = try EventLoop()
    let work = LongWork(on: loop)
    try loop.watch(number) { _ in
      var byte: UInt8 = 0
      _ = unsafe read(number, &byte, 1)
      work.interrupt()
    }
    loop.start(name: "test")
    defer { loop.stop() }
    let isInterrupted = await work.run {
      var byte: UInt8 = 1
      _ = unsafe write(writing, &byte, 1)
    }
    #expect(isInterrupted)
    loop.unwatch(number)
  }

  @Test func `a deadline comes while work goes on and on`() async throws {
    let loop = try EventLoop()
    let work = LongWork(on: loop)
    loop.onDeadline { work.interrupt() }
    loop.start(name: "test")
    defer { loop.stop() }
    #expect(await work.run { loop.setDeadline(monotonicNow()) })
  }

  @Test func `a deadline comes when the time of a test reaches it`() async throws {
    let time = ManualTime()
    let loop = try EventLoop(time: time.source)
    let (reached, told) = AsyncStream.makeStream(of: Duration.self)
    loop.onDeadline { told.yield(time.now) }
    let start = time.now
    loop.setDeadline(start + .seconds(5))
    loop.setDeadline(start + .seconds(7200))
    loop.start(name: "test")
    defer { loop.stop() }
    time.advance(by: .seconds(60))
    time.advance(by: .seconds(86_400))
    for await moment in reached.prefix(1) { #expect(moment >= start + .seconds(7200)) }
    loop.perform { loop.setDeadline(.zero) }
    for await _ in reached.prefix(1) {}
  }

  @Test func `a deadline comes as often as one is set`() async throws {
    let loop = try EventLoop()
    let (over, told) = AsyncStream.makeStream(of: Never.self)
    let rest = Atomic(150_000)
    loop.onDeadline {
      if rest.subtract(1, ordering: .relaxed).newValue > 0 { loop.setDeadline(.zero) } else { told.finish() }
    }
    loop.setDeadline(.zero)
    loop.start(name: "test")
    defer { loop.stop() }
    for await _ in over {}
  }

  @Test func `jobs that were enqueued before the stop run, in order`() async throws {
    let loop = try EventLoop()
    let (numbers, told) = AsyncStream.makeStream(of: Int.self)
    loop.perform {
      told.yield(1)
      loop.perform {
        told.yield(3)
        told.finish()
      }
      loop.stop()
    }
    loop.perform { told.yield(2) }
    loop.start(name: "test")
    var order: [Int] = []
    for await number in numbers { order.append(number) }
    #expect(order == [1, 2, 3])
  }

  @Test func `a descriptor is watched for what was asked for last, and for a hang-up always`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let loop = try EventLoop()
    let (seen, told) = AsyncStream.makeStream(of: DescriptorEvents.self)
    try loop.watch(writing, for: []) { events in
      loop.watch(writing, insteadFor: [])
      told.yield(events)
      if events.contains(.output) {
        close(reading)
      } else {
        loop.unwatch(writing)
        told.finish()
      }
    }
    loop.start(name: "test")
    defer { loop.stop() }
    loop.perform { loop.watch(writing, insteadFor: .output) }
    var events: [DescriptorEvents] = []
    for await event in seen { events.append(event) }
    #expect(events.count == 2 && events[0] == .output)
    #expect(events.last.map { !$0.isDisjoint(with: .hangUp) } == true)
    close(writing)
  }

  private actor Guest {
    let loop: EventLoop
    private var count = 0

    init(on loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    func visit() async {
      await TimerQueue.shared.sleep(for: .microseconds(100))
      assertIsolated()
      count += 1
    }

    var visits: Int { count }
  }

  @Test func `an actor answers after the loop's end`() async throws {
    let loop = try EventLoop()
    let guest = Guest(on: loop)
    loop.start(name: "test")
    await guest.visit()
    loop.stop()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { for _ in 0..<10 { await guest.visit() } } }
    }
    #expect(await guest.visits == 1001)
  }
}
