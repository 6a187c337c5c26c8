/// A queue of bytes.
struct ByteQueue: Sendable {
  private var storage: [UInt8] = []
  /// The index of the first byte that has not been removed.
  private var start = 0

  var bytes: ArraySlice<UInt8> { storage[start...] }

  var count: Int { storage.count - start }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: [UInt8]) {
    if isEmpty {
      storage = more
      start = 0
    } else {
      storage += more
    }
  }

  /// Removes up to `count` bytes. On average, each byte is moved at most once.
  mutating func removeFirst(_ count: Int) {
    start = min(start + count, storage.count)
    if start == storage.count {
      self = ByteQueue()
    } else if start > storage.count / 2 {
      storage.removeFirst(start)
      start = 0
    }
  }
}
