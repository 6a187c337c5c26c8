import Dispatch
import Glibc
import Support
import Synchronization
import Testing

@testable import DropSystem

@Suite(.timeLimit(.minutes(1))) struct SerialQueueTests {
  private final class Notes: Sendable {
    private let notes = Mutex<[Int]>([])

    var all: [Int] { notes.withLock { $0 } }

    func add(_ note: Int) { notes.withLock { $0.append(note) } }
  }

  @Test func `closures are called in order, from whichever thread they are added`() {
    let queue = SerialQueue(name: "test")
    let notes = Notes()
    for number in 0..<1000 {
      queue.enqueue {
        notes.add(number)
        if number == 999 { queue.enqueue { notes.add(1000) } }
      }
    }
    queue.flush()
    queue.flush()
    #expect(notes.all == Array(0...1000))
  }

  private final class Overlaps: Sendable {
    private let state = Mutex((running: 0, count: 0))

    var count: Int { state.withLock { $0.count } }

    func begin() {
      state.withLock { state in
        if state.running > 0 { state.count += 1 }
        state.running += 1
      }
    }

    func end() { state.withLock { $0.running -= 1 } }
  }

  @Test func `one closure is called at a time`() async {
    let queue = SerialQueue(on: BlockingPool(name: "test", limit: 8))
    let overlaps = Overlaps()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            queue.enqueue {
              overlaps.begin()
              overlaps.end()
            }
          }
        }
      }
    }
    queue.flush()
    #expect(overlaps.count == 0)
  }

  @Test func `a flush with a limit says whether everything was called`() {
    let queue = SerialQueue(name: "test")
    let gate = DispatchSemaphore(value: 0)
    queue.enqueue { gate.wait() }
    #expect(!queue.flush(within: .milliseconds(1)))
    gate.signal()
    #expect(queue.flush(within: .seconds(3600)))
    #expect(queue.flush(within: .seconds(Int64.max)))
  }

  @Test func `queues share a thread, and none is kept`() {
    let pool = BlockingPool(name: "test", limit: 1, idleTime: .milliseconds(1), start: startThread(named:_:))
    let queues = (0..<10).map { _ in SerialQueue(on: pool) }
    let notes = Notes()
    for number in 0..<100 { queues[number % 10].enqueue { notes.add(number) } }
    for queue in queues { queue.flush() }
    #expect(notes.all.count == 100)
    until { pool.threadCount == 0 }
  }

  @Test func `closures that are waiting are called even if no reference to the queue is left`() {
    let notes = Notes()
    let gate = DispatchSemaphore(value: 0)
    do {
      let queue = SerialQueue(name: "test")
      queue.enqueue { gate.wait() }
      queue.enqueue { notes.add(1) }
    }
    gate.signal()
    until { notes.all == [1] }
  }
}
