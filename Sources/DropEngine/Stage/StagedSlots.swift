/// The staged payloads, one beside the other. A dictionary of them would have room for twice as many.
struct StagedSlots: Sendable {
  private var payloads: [StagedPayload] = []
  private var free: [Int32] = []

  subscript(slot: Int32) -> StagedPayload {
    get { payloads[Int(slot)] }
    _modify { yield &payloads[Int(slot)] }
  }

  mutating func insert(_ payload: StagedPayload) -> Int32 {
    if let slot = free.popLast() {
      payloads[Int(slot)] = payload
      return slot
    }
    payloads.append(payload)
    return Int32(payloads.count - 1)
  }

  /// Returns what was there.
  mutating func remove(_ slot: Int32) -> StagedPayload {
    let payload = payloads[Int(slot)]
    free.append(slot)
    if free.count == payloads.count {
      payloads = []
      free = []
    }
    return payload
  }
}
