import DropEngine
import Testing

@testable import DropFlow

@Suite struct PostponedAsksTests {
  @Test func `each is kept once, in the order they first came`() {
    var asks = PostponedAsks()
    for name in ["a", "b", "a", "a", "c", "b"] { asks.append(PayloadKey(directory: 1, name: RawPath(name))) }
    var names: [RawPath] = []
    while let key = asks.popFirst() { names.append(key.name) }
    #expect(names == ["a", "b", "c"])
    #expect(asks.isEmpty)
    asks.append(PayloadKey(directory: 1, name: "a"))
    #expect(asks.popFirst()?.name == "a")
  }
}
