import Synchronization
import Testing

@testable import DropSystem

@Suite struct BlockingPoolTests {
  /// Threads of which so many are to be had.
  private final class Supply: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    func start(_ thread: Thread, _ name: String) -> Bool {
      let isLeft = left.withLock { left in
        left -= 1
        return left >= 0
      }
      return isLeft && thread.startIfPossible(name: name)
    }
  }

  @Test(arguments: [0, 1, 2]) func `work is done by few threads where no more are to be had`(count: Int) async {
    let supply = Supply(count)
    let pool = BlockingPool(name: "test", keeping: 8, limit: 64, start: supply.start)
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...100 {
        group.addTask(executorPreference: pool) {
          await Task.yield()
          return number
        }
      }
      return await group.reduce(0, +)
    }
    #expect(sum == 5050)
  }
}
