/// Splits received bytes into messages, each of which ends with a zero byte.
struct MessageBuffer: Sendable {
  /// The length of the longest accepted message, without its zero byte.
  let limit: Int
  private var queue = ByteQueue()
  /// The number of bytes that are known to contain no zero.
  private var searched = 0
  /// The length of the next message, once it is complete.
  private var length: Int?

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ more: [UInt8]) {
    queue.append(more)
  }

  /// Returns whether there is a complete message.
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

  /// Returns whether the message that is arriving exceeds the limit.
  mutating func isTooLong() -> Bool { !hasMessage() && searched > limit }

  /// Removes and returns the next complete message; nil if there is none yet.
  mutating func next() -> [UInt8]? {
    guard hasMessage(), let length else { return nil }
    let message = Array(queue.bytes.prefix(length))
    queue.removeFirst(length + 1)
    self.length = nil
    searched = 0
    return message
  }

  /// Whether the buffer holds enough that a message should be taken before more is read.
  var isFull: Bool { queue.count > limit }
}
