import Testing

@testable import DropEngine

/// Tests of the storage for very many files, and of their listing.
@Suite struct StagedSlotsTests {
  private func payload(_ number: UInt64) -> StagedPayload {
    StagedPayload(
      id: DropID(milliseconds: number, high: 0, low: 0),
      status: FileStatus(kind: .regular, identity: FileIdentity(device: 1, inode: number, birth: 0), size: 1),
      name: .ordinary, evidence: .lease, firstSeen: Int64(number), cameComplete: false, at: .zero)
  }

  @Test func `each payload is found in its slot, while others are added and removed`() {
    var slots = StagedSlots()
    var known: [Int32: StagedPayload] = [:]
    for round in 0..<3 as Range<UInt64> {
      for number in 0..<1000 as Range<UInt64> {
        let payload = payload(round * 1000 + number)
        let slot = slots.insert(payload)
        #expect(known.updateValue(payload, forKey: slot) == nil)
      }
      // Remove every third payload, and then whole chunks from the front, as claims do.
      for slot in known.keys.sorted() where slot % 3 == 0 || slot < 600 {
        #expect(slots.remove(slot) == known.removeValue(forKey: slot))
      }
      for (slot, payload) in known { #expect(slots[slot] == payload) }
    }
    #expect(known.keys.max().map { $0 < 2048 } == true)
  }

  @Test func `a staged payload takes at most 240 bytes`() {
    #expect(MemoryLayout<StagedPayload>.stride <= 240)
  }

  @Test func `the oldest of many payloads are listed`() {
    var script = StagingScript()
    for number in 0..<50 { _ = script.write("f\(number)") }
    let expected = (0..<50).map { RawPath("f\($0)") }
    func oldest(_ limit: Int) -> [RawPath] { script.staging.map(oldest: limit) { key, _ in key.name } }
    #expect(Set(oldest(50)) == Set(expected) && oldest(50).count == expected.count)
    #expect(Set(oldest(7)) == Set(expected.prefix(7)) && oldest(7).count == 7)
    #expect(oldest(0).isEmpty)
  }
}
