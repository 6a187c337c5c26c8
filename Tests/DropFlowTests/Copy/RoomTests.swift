import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct RoomTests {
  private func status(size: Int64, allocated: Int64) -> FileStatus {
    FileStatus(
      kind: .regular, identity: FileIdentity(device: 1, inode: 1, birth: 1), size: size, allocated: allocated)
  }

  @Test func `a copy needs the blocks of its source, and no more than its length`() {
    #expect(status(size: 1 << 40, allocated: 4096).bytesToCopy == 4096)
    #expect(status(size: 10, allocated: 4096).bytesToCopy == 10)
    #expect(status(size: .max, allocated: .max).bytesToCopy == 1 << 50)
  }

  @Test func `a copy fits into what is free and not promised to others`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      try harness.write("Z/a.txt", "hello")
      let file = try OpenFile.regular(at: harness.path("Z/a.txt")).file
      let box = try Directory(harness.box)
      let free = try #require(box.freeRoom).bytes
      #expect(Room(at: box).lack(for: status(size: 5, allocated: 5), of: file, in: box) == nil)
      let huge = status(size: 1 << 50, allocated: 1 << 50)
      #expect(Room(at: box).lack(for: huge, of: file, in: box)?.hasPrefix("box full (needs 1.1 PB, ") == true)
      let promised = Room(at: box, promised: free + 1_000_000)
      #expect(promised.lack(for: status(size: 5, allocated: 5), of: file, in: box) == "box full (needs 5 B, 0 B free)")
    }
  }

  @Test func `what a copy was promised counts until it is written or given up`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await harness.judged("a.txt", String(repeating: "x", count: 100_000))
      let file = try OpenFile.regular(at: harness.heldPath(payload)).file
      let (status, box) = (try file.status(), try Directory(harness.box))
      let device = try box.status().identity.device
      let reservations = harness.context.reservations
      #expect(reservations.reserve(status, of: file, for: payload.id, in: box) == nil)
      #expect(reservations.promisedBytes(on: device) == 100_000 && reservations.promisedBytes(on: device + 1) == 0)
      // Asked for again, it is promised once.
      #expect(reservations.reserve(status, of: file, for: payload.id, in: box) == nil)
      #expect(reservations.promisedBytes(on: device) == 100_000)
      try harness.write("B/.dropzone-\(payload.id)", String(repeating: "x", count: 40_960))
      #expect(reservations.promisedBytes(on: device) == 100_000 - 40_960)
      reservations.release(payload.id)
      #expect(reservations.promisedBytes(on: device) == 0)
    }
  }

  @Test(arguments: [
    (DeliveryRules.DigestRule.yes, Int64(5), Int64(5), FileCopy.DigestMode.always), (.no, 5, 5, .never),
    (.auto, 5, 5, .ifPassing), (.auto, 2 << 30, 2 << 30, .ifPassing), (.auto, 2 << 30, 4096, .never),
    (.yes, 2 << 30, 4096, .always),
  ])
  func `a copy computes a digest of bytes that pass by anyway`(
    rule: DeliveryRules.DigestRule, size: Int64, allocated: Int64, mode: FileCopy.DigestMode
  ) {
    #expect(rule.wish(for: status(size: size, allocated: allocated)) == mode)
  }

  @Test(arguments: [
    (DeliveryRules.DigestRule.yes, Int64.max, true), (.no, 1, false), (.auto, 1 << 20, true),
    (.auto, 1 << 20 + 1, false),
  ])
  func `a file that nothing else reads is digested if it is small, or the zone says so`(
    rule: DeliveryRules.DigestRule, size: Int64, isWanted: Bool
  ) {
    #expect(rule.isWanted(ofBytes: size) == isWanted)
  }
}
