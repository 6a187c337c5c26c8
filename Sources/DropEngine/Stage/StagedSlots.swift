/// The staged payloads, one beside the other. A dictionary of them would have room for twice as many.
///
/// They lie in chunks: nothing is copied as more come, and a chunk that has none left is let go.
struct StagedSlots: Sendable {
  private static let chunkSize = 256

  private struct Chunk {
    var payloads: [StagedPayload] = []
    var free: [Int32] = []
  }

  private var chunks: [Chunk] = []
  /// Chunks that have room.
  private var open: [Int] = []

  subscript(slot: Int32) -> StagedPayload {
    get { chunks[Int(slot) / Self.chunkSize].payloads[Int(slot) % Self.chunkSize] }
    _modify { yield &chunks[Int(slot) / Self.chunkSize].payloads[Int(slot) % Self.chunkSize] }
  }

  mutating func insert(_ payload: StagedPayload) -> Int32 {
    if open.isEmpty {
      open.append(chunks.count)
      chunks.append(Chunk())
      // A zone with few has room for few.
      if chunks.count > 1 { chunks[chunks.count - 1].payloads.reserveCapacity(Self.chunkSize) }
    }
    let number = open[open.count - 1]
    let slot: Int32
    if let free = chunks[number].free.popLast() {
      slot = free
      self[slot] = payload
    } else {
      slot = Int32(number * Self.chunkSize + chunks[number].payloads.count)
      chunks[number].payloads.append(payload)
    }
    if chunks[number].free.isEmpty, chunks[number].payloads.count == Self.chunkSize { open.removeLast() }
    return slot
  }

  /// Returns what was there.
  mutating func remove(_ slot: Int32) -> StagedPayload {
    let payload = self[slot]
    let number = Int(slot) / Self.chunkSize
    if chunks[number].free.isEmpty, chunks[number].payloads.count == Self.chunkSize { open.append(number) }
    chunks[number].free.append(slot)
    if chunks[number].free.count == chunks[number].payloads.count { chunks[number] = Chunk() }
    return payload
  }
}
