import Testing

@testable import DropEngine

@Suite struct PostponedPayloadsTests {
  @Test func `each payload is kept once, in the order of arrival`() {
    var payloads = PostponedPayloads()
    for name in ["a", "b", "a", "a", "c", "b"] { payloads.append(PayloadKey(directory: 1, name: RawPath(name))) }
    var names: [RawPath] = []
    while let key = payloads.popFirst() { names.append(key.name) }
    #expect(names == ["a", "b", "c"])
    #expect(payloads.isEmpty)
    payloads.append(PayloadKey(directory: 1, name: "a"))
    #expect(payloads.popFirst()?.name == "a")
  }
}
