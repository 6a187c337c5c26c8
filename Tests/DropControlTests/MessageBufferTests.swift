import Testing

@testable import DropControl

@Suite struct MessageBufferTests {
  /// `#expect` cannot call mutating functions.
  private func expect(
    _ buffer: inout MessageBuffer, at location: SourceLocation = #_sourceLocation,
    _ condition: (inout MessageBuffer) -> Bool
  ) {
    let holds = condition(&buffer)
    #expect(holds, sourceLocation: location)
  }

  @Test func `messages end with a zero byte, however the bytes arrive`() {
    var buffer = MessageBuffer(limit: 100)
    var found: [[UInt8]] = []
    for byte in Array("{}".utf8) + [0, 0] + Array("a".utf8) + [0] + Array("rest".utf8) {
      buffer.append([byte])
      while let message = buffer.next() { found.append(message) }
    }
    #expect(found == [Array("{}".utf8), [], Array("a".utf8)])
    expect(&buffer) { !$0.hasMessage() }
  }

  @Test func `a message may be as long as the limit, but no longer`() {
    var exact = MessageBuffer(limit: 8)
    exact.append([UInt8](repeating: 1, count: 8) + [0])
    expect(&exact) { !$0.isTooLong() }
    expect(&exact) { $0.next()?.count == 8 }

    var over = MessageBuffer(limit: 8)
    over.append([UInt8](repeating: 1, count: 9))
    expect(&over) { $0.next() == nil }
    expect(&over) { $0.isTooLong() }
    over.append([0])
    expect(&over) { $0.isTooLong() }
    expect(&over) { $0.next() == nil }
  }

  @Test func `a message that is too long is noticed after short ones`() {
    var buffer = MessageBuffer(limit: 8)
    buffer.append([1, 0, 2, 0] + [UInt8](repeating: 3, count: 20))
    expect(&buffer) { $0.next() == [1] }
    expect(&buffer) { $0.next() == [2] }
    expect(&buffer) { $0.next() == nil }
    expect(&buffer) { $0.isTooLong() }
  }

  @Test func `the cost of many small messages in one piece is linear`() {
    var buffer = MessageBuffer(limit: 1 << 20)
    buffer.append([UInt8](repeating: 0, count: 1 << 18))
    var count = 0
    let spent = ContinuousClock().measure { while buffer.next() != nil { count += 1 } }
    #expect(count == 1 << 18)
    #expect(spent < .seconds(20))
  }
}
