/// Bytes that are added at one end and taken at the other.
struct ByteQueue: Sendable {
  private var storage: [UInt8] = []
  /// What lies before it has been taken.
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

  /// Takes the first `count` bytes, or what there is. Each byte is moved once at most, on average.
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
