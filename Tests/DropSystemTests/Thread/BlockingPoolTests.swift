import Dispatch
import Glibc
import Support
import Synchronization
import Testing

@testable import DropSystem

@Suite(.timeLimit(.minutes(1))) struct BlockingPoolTests {
  /// Starts threads, except for the first few times.
  private final class Starts: Sendable {
    private let state: Mutex<(refused: Int, started: Int)>

    init(refusing count: Int) { state = Mutex((count, 0)) }

    var started: Int { state.withLock { $0.started } }

    func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
      let isRefused = state.withLock { state in
        if state.refused > 0 {
          state.refused -= 1
          return true
        }
        state.started += 1
        return false
      }
      return !isRefused && startThread(named: name, body)
    }
  }

  private func pool(
    limit: Int = 4, idle: DispatchTimeInterval = .seconds(10), starts: Starts = Starts(refusing: 0)
  ) -> BlockingPool {
    BlockingPool(name: "test", limit: limit, idleTime: idle, start: starts.start)
  }

  @Test func `tasks and closures run on the pool's threads`() async {
    let pool = pool()
    let main = UInt(pthread_self())
    #expect(await pool.run { UInt(pthread_self()) } != main)
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...1000 {
        group.addTask(executorPreference: pool) {
          await Task.yield()
          return number
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 500_500)
    #expect(pool.threadCount <= 4)
  }

  @Test func `work that hangs in a part of a pool leaves the other threads to others`() async {
    let pool = pool(limit: 4)
    let part = BlockingPool(limit: 2, on: pool)
    let gate = DispatchSemaphore(value: 0)
    let ends = DispatchSemaphore(value: 0)
    for _ in 0..<8 {
      part.perform {
        gate.wait()
        ends.signal()
      }
    }
    #expect(await pool.run { 1 } == 1)
    #expect(part.threadCount == 2)
    for _ in 0..<8 { gate.signal() }
    await pool.run { for _ in 0..<8 { ends.wait() } }
    #expect(await part.run { 2 } == 2)
  }

  @Test func `an error is passed on with its type`() async {
    let pool = pool()
    await #expect(throws: Errno.noSpace) {
      try await pool.run { () throws(Errno) in throw .noSpace }
    }
  }

  @Test func `jobs that block delay no other job until the limit is reached`() async {
    let pool = pool(limit: 3)
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<2 { pool.perform { gate.wait() } }
    #expect(await pool.run { 1 } == 1)
    let (order, continuation) = AsyncStream.makeStream(of: Int.self)
    pool.perform { gate.wait() }
    for number in 1...5 { pool.perform { continuation.yield(number) } }
    #expect(pool.threadCount == 3)
    gate.signal()
    var numbers: [Int] = []
    for await number in order.prefix(5) { numbers.append(number) }
    #expect(numbers == [1, 2, 3, 4, 5])
    for _ in 0..<2 { gate.signal() }
  }

  @Test func `one job after another needs one thread`() async {
    let starts = Starts(refusing: 0)
    let pool = pool(limit: 8, starts: starts)
    await pool.run {}
    until { pool.idleCount == 1 }
    for _ in 0..<100 {
      await pool.run {}
      until { pool.idleCount == 1 }
    }
    #expect(starts.started == 1)
  }

  @Test func `an idle pool ends its threads, and starts them again for the next job`() async {
    let pool = pool(idle: .milliseconds(1))
    for _ in 0..<20 {
      #expect(await pool.run { 1 } == 1)
      until { pool.threadCount == 0 }
    }
  }

  @Test func `no job is lost to a thread that is about to end`() async {
    let pool = pool(idle: .nanoseconds(1))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<1000 { await pool.run {} } } }
    }
  }

  @Test(arguments: [1, 3]) func `jobs wait while the system has no thread to spare`(refused: Int) async {
    let pool = pool(starts: Starts(refusing: refused))
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...100 { group.addTask { await pool.run { number } } }
      return await group.reduce(0, +)
    }
    #expect(sum == 5050)
  }

  @Test func `a pool that could get only one thread gets more once there are some`() async {
    let available = Atomic(1)
    let pool = BlockingPool(name: "test", limit: 4, idleTime: .seconds(10)) { name, body in
      available.subtract(1, ordering: .relaxed).oldValue > 0 && startThread(named: name, body)
    }
    let gate = DispatchSemaphore(value: 0)
    pool.perform { gate.wait() }
    async let answer = pool.run { 1 }
    await TimerQueue.shared.sleep(for: .zero)
    available.store(1, ordering: .relaxed)
    #expect(await answer == 1)
    gate.signal()
  }
}

@Suite(.timeLimit(.minutes(1))) struct TimedCallTests {
  private let pool = BlockingPool(name: "test", limit: 2)

  @Test func `an answer in time is returned, and so is an error`() async throws {
    #expect(await pool.answer(within: .seconds(60)) { 1 } == 1)
    await #expect(throws: Errno.noSpace) {
      try await pool.answer(within: .seconds(60)) { () throws(Errno) -> Int in throw .noSpace }
    }
    #expect(pool.stuckCount == 0)
  }

  @Test func `a call that hangs is left behind and counted until it returns`() async throws {
    let pipe = try Pipe(nonBlocking: .writer)
    let number = pipe.reader.number
    // On a busy machine, a call may not even begin in time.
    while pool.stuckCount == 0 {
      let answer = await pool.answer(within: .milliseconds(20)) {
        var byte: UInt8 = 0
        return unsafe read(number, &byte, 1)
      }
      #expect(answer == nil)
    }
    #expect(pool.stuckCount == 1)
    #expect(await pool.answer(within: .seconds(60)) { 2 } == 2)
    var byte: UInt8 = 0
    _ = unsafe write(pipe.writer.number, &byte, 1)
    until { pool.stuckCount == 0 }
  }

  @Test func `a call that has not begun in time never begins`() async {
    let gate = DispatchSemaphore(value: 0)
    for _ in 0..<2 { pool.perform { gate.wait() } }
    let hasBegun = Atomic(false)
    #expect(await pool.answer(within: .milliseconds(1)) { hasBegun.store(true, ordering: .relaxed) } == nil)
    #expect(pool.stuckCount == 0)
    for _ in 0..<2 { gate.signal() }
    await pool.run {}
    let began = hasBegun.load(ordering: .relaxed)
    #expect(!began)
  }

  @Test func `a pool whose calls hang delays no other pool`() async {
    let gate = DispatchSemaphore(value: 0)
    let pools = (0..<50).map { _ in BlockingPool(name: "test", limit: 4) }
    for _ in 0..<2 { pool.perform { gate.wait() } }
    #expect(await pool.answer(within: .milliseconds(1)) { 1 } == nil)
    for other in pools { #expect(await other.answer(within: .seconds(60)) { 1 } == 1) }
    for _ in 0..<2 { gate.signal() }
  }
}
