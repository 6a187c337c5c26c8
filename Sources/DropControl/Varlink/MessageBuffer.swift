/// Cuts what arrives into messages: each ends with a zero byte.
struct MessageBuffer: Sendable {
  /// The longest message that is put together, without its zero; who sends more is not talked to any longer.
  let limit: Int
  private var queue = ByteQueue()
  /// How many bytes hold no zero for certain.
  private var searched = 0
  /// How long the next message is, where it is whole.
  private var length: Int?

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ more: [UInt8]) {
    queue.append(more)
  }

  /// Whether a whole message is here.
  mutating func hasMessage() -> Bool {
    if length != nil { return true }
    let bytes = queue.bytes
    if let end = bytes.dropFirst(searched).firstIndex(of: 0), end - bytes.startIndex <= limit {
      length = end - bytes.startIndex
      return true
    }
    searched = bytes.count
    return false
  }

  /// Whether the message that is arriving is longer than any may be.
  mutating func isTooLong() -> Bool { !hasMessage() && searched > limit }

  /// The next whole message; nil when there is none yet.
  mutating func next() -> [UInt8]? {
    guard hasMessage(), let length else { return nil }
    let message = Array(queue.bytes.prefix(length))
    queue.removeFirst(length + 1)
    self.length = nil
    searched = 0
    return message
  }

  /// Whether so much lies here that no more need be read before some is taken.
  var isFull: Bool { queue.count > limit }
}
