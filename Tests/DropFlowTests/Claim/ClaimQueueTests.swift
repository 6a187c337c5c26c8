import DropEngine
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct ClaimQueueTests {
  private static let big: Int64 = 17 << 20

  private func queue(isInOrder: Bool = false) -> ClaimQueue {
    ClaimQueue(isInOrder: isInOrder, batchesAtOnce: isInOrder ? 1 : 2)
  }

  private func releases(
    _ count: Int, of size: Int64 = 1, operation: DeliveryRules.Operation = .move, mount: RawPath = ""
  ) async throws -> [Release] {
    var releases: [Release] = []
    try await FlowHarness.with { harness in
      releases = try (0..<count).map { number in
        try harness.release("\(number).txt", operation: operation) {
          $0.payload.status.size = size
          $0.mountLocation = mount
        }
      }
    }
    return releases
  }

  @Test func `a second batch begins beside the first only if it is full`() async throws {
    let queue = queue()
    #expect(!queue.begin())
    queue.append(try await releases(2))
    #expect(queue.begin() && queue.next().count == 2)
    queue.append(try await releases(ClaimQueue.batchLimit - 1))
    #expect(!queue.begin())
    queue.append(try await releases(1))
    #expect(queue.begin() && queue.next().count == ClaimQueue.batchLimit)
    queue.append(try await releases(ClaimQueue.batchLimit))
    #expect(!queue.begin())
    queue.end()
    #expect(queue.begin())
  }

  @Test func `where a later file replaces an earlier one, batches come one after the other`() async throws {
    let queue = queue(isInOrder: true)
    queue.append(try await releases(2 * ClaimQueue.batchLimit))
    #expect(queue.begin() && queue.next().count == ClaimQueue.batchLimit)
    #expect(!queue.begin())
  }

  @Test func `a batch is of one mount and of one operation`() async throws {
    let queue = queue()
    queue.append(try await releases(2))
    queue.append(try await releases(3, mount: "disk"))
    queue.append(try await releases(4, operation: .copy, mount: "disk"))
    queue.append(try await releases(1))
    #expect((0..<5).map { _ in queue.next().count } == [2, 3, 4, 1, 0])
  }

  @Test func `fewer copies than moves are in one batch, since the first waits for the last`() async throws {
    let queue = queue()
    queue.append(try await releases(100, operation: .copy))
    #expect(queue.next().count == 64 && queue.next().count == 36)
  }

  @Test func `big payloads are claimed one per batch, a few at a time`() async throws {
    let queue = queue()
    queue.append(try await releases(1) + releases(6, of: Self.big) + releases(1))
    #expect(queue.next().count == 2)
    for _ in 0..<4 { #expect(queue.nextBig() != nil) }
    #expect(queue.nextBig() == nil && queue.runningBig == 4)
    queue.endBig()
    #expect(queue.nextBig() != nil)
    queue.endBig()
    #expect(queue.nextBig() != nil && queue.nextBig() == nil)
  }

  @Test func `where order counts, big payloads stay in their batch`() async throws {
    let queue = queue(isInOrder: true)
    queue.append(try await releases(1) + releases(2, of: Self.big))
    #expect(queue.next().count == 3 && queue.nextBig() == nil)
  }

  @Test func `a queue that is emptied has nothing more`() async throws {
    let queue = queue()
    queue.append(try await releases(2, of: Self.big))
    _ = queue.next()
    queue.append(try await releases(2))
    queue.removeAll()
    #expect(!queue.begin() && queue.next().isEmpty && queue.nextBig() == nil)
  }
}
