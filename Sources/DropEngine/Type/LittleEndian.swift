/// Reads numbers from the tables of a container. The result is nil if an offset is out of bounds.
extension [UInt8] {
  func number16(at offset: Int) -> Int? {
    number(at: offset, count: 2).map { Int($0) }
  }

  func number32(at offset: Int) -> Int? {
    number(at: offset, count: 4).map { Int($0) }
  }

  /// The result is also nil if the number cannot be an offset in a file.
  func number64(at offset: Int) -> Int? {
    number(at: offset, count: 8).flatMap { Int(exactly: $0) }
  }

  private func number(at offset: Int, count: Int) -> UInt64? {
    slice(at: offset, count: count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func slice(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
    return self[offset..<(offset + count)]
  }
}
