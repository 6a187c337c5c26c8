import Testing

@testable import DropEngine

@Suite struct InspectionQueueTests {
  private func key(_ name: String, _ directory: Int32 = 1) -> PayloadKey {
    PayloadKey(directory: directory, name: RawPath(name))
  }

  @Test func `a name that is queued several times is inspected once, with all hints`() {
    var queue = InspectionQueue()
    queue.add(key("a"), .written)
    queue.add(key("b"), .renamed, generation: 3)
    queue.add(key("a"), .closed, .due)
    queue.add(key("a"), [], .writers, generation: 2)
    queue.add(key("a", 2))
    #expect(queue.count == 3)
    #expect(queue.contains(key("a")) && !queue.contains(key("c")))
    let first = queue.popFirst()
    #expect(first?.key == key("a"))
    #expect(
      first?.entry
        == InspectionQueue.Entry(hint: [.written, .closed], purpose: [.due, .writers], generation: 2))
    #expect(queue.popFirst()?.key == key("b"))
    #expect(queue.popFirst()?.key == key("a", 2))
    #expect(queue.popFirst() == nil && queue.isEmpty)
  }

  @Test func `a name that was removed from the queue can be added again`() {
    var queue = InspectionQueue()
    queue.add(key("a"), .written)
    _ = queue.popFirst()
    queue.add(key("a"), .closed)
    #expect(queue.popFirst()?.entry == InspectionQueue.Entry(hint: .closed))
  }
}
