import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// The box lies on another file system.
@Suite(.timeLimit(.minutes(1))) struct CopyStageTests {
  /// A payload that is about to be copied into the box, or the rejects.
  private func copying(_ payload: ClaimedPayload, _ harness: FlowHarness) async throws -> ClaimedPayload {
    let placed = await PlaceStage(harness.context, harness.runner).run([payload], shut: [:], .init()).payloads
    let payload = try #require(placed.first)
    #expect(payload.delivery.step == .copy(.hold, to: .temporary))
    return payload
  }

  private func copy(
    _ payload: ClaimedPayload, _ harness: FlowHarness
  ) async -> (payload: ClaimedPayload, receipts: [ReceiptRecord]) {
    let stage = CopyStage(harness.context, harness.runner)
    stage.append(payload)
    guard let next = stage.next() else { return (payload, []) }
    let (copied, receipts) = await stage.run(next)
    #expect(stage.isIdle)
    return (copied, receipts)
  }

  @Test func `a copy has its name, and its source is in the hold until the receipt`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await copying(harness.judged("sub/a.txt", "text"), harness)
      let copied = await copy(payload, harness).payload
      #expect(copied.delivery.stage == .receipts && copied.delivery.step == .syncDirectory(.destination))
      #expect(harness.text("B/sub/a.txt") == "text" && harness.names("B/sub") == ["a.txt"])
      #expect(harness.text("Z.hold/\(payload.drop.entry)") == "text")
      let row = try #require(try harness.row(of: payload))
      let made = try harness.status("B/sub/a.txt")
      #expect(row.state == .copied && row.copyInode == made.identity.inode)
      #expect(made.modified == payload.drop.modified)
      #expect(row.sha256?.count == 64)
    }
  }

  @Test func `a reject that is copied keeps its mode, and has its reason first`() async throws {
    try await Scratch.with(in: "/dev/shm") { other in
      try await FlowHarness.with({ $0.rejects = other.string + "/R" }) { harness in
        let payload = try await harness.refused()
        try harness.heldPath(payload).setMode(0o604)
        let copied = await copy(try await copying(payload, harness), harness).payload
        #expect(copied.delivery.stage == .receipts)
        let rejects = try Directory(other.path.appending("R"))
        #expect(try rejects.names().map(\.description).sorted() == ["a.txt", "a.txt.reason.json"])
        #expect(try rejects.status(of: "a.txt").mode & 0o777 == 0o604)
      }
    }
  }

  @Test func `what an earlier copy left under the hidden name goes`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await copying(harness.judged("a.txt", "text"), harness)
      try harness.write("B/.dropzone-\(payload.id)", "half of something")
      #expect(await copy(payload, harness).payload.delivery.stage == .receipts)
      #expect(harness.names("B") == ["a.txt"] && harness.text("B/a.txt") == "text")
    }
  }

  @Test func `a name that was taken in the meantime gives way to the next`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await copying(harness.judged("a.txt", "text"), harness)
      try harness.write("B/a.txt", "earlier")
      let copied = await copy(payload, harness).payload
      #expect(copied.delivery.stage == .receipts && harness.names("B") == ["a.1.txt", "a.txt"])
      #expect(harness.text("B/a.txt") == "earlier" && harness.text("B/a.1.txt") == "text")
      #expect(try harness.row(of: payload)?.destinationName == "a.1.txt")
    }
  }

  @Test func `where names must not be taken, a payload whose name was taken in the meantime chooses again`()
    async throws
  {
    try await FlowHarness.with(isFar: true, { $0.delivery.collision = .reject }) { harness in
      let payload = try await copying(harness.judged(), harness)
      try harness.write("B/a.txt", "earlier")
      let again = await copy(payload, harness).payload
      #expect(again.delivery.step == .choose(from: 0) && again.delivery.stage == .place)
      #expect(harness.names("B") == ["a.txt"])
      #expect(try harness.row(of: payload)?.state == .claiming)
    }
  }

  @Test func `a source that changed is judged again, and nothing of its copy is left`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await copying(harness.judged(), harness)
      try harness.heldPath(payload).write("another")
      let again = await copy(payload, harness).payload
      #expect(again.delivery.stage == .judge && again.drop.size == 7 && harness.names("B").isEmpty)
    }
  }

  @Test func `a source that is gone was withdrawn`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      var payload = try await copying(harness.judged(), harness)
      payload.closeFiles()
      try harness.heldPath(payload).removeFile()
      var payloads = [await copy(payload, harness).payload]
      #expect(await harness.runner.run(&payloads, in: .receipts).map(\.outcome) == [.withdrawn])
      #expect(harness.names("B").isEmpty)
    }
  }

  @Test func `a box that is not there is waited for`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      var payload = try await copying(harness.judged(), harness)
      payload.closeFiles()
      try harness.path("B").removeDirectory()
      let waiting = await copy(payload, harness).payload
      #expect(waiting.wait?.cause == .place(harness.context.settings.box))
      #expect(try harness.row(of: payload) != nil && harness.names("Z.hold").count == 1)
    }
  }

  @Test func `after a stop nothing is left of a copy, and its row says what is left to do`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await copying(harness.judged(), harness)
      harness.context.copies.cancel()
      let parked = await copy(payload, harness).payload
      #expect(parked.delivery.step == .parked)
      #expect(try harness.row(of: payload)?.state == .placing)
    }
  }

  @Test(.enabled(if: Machine.canMount))
  func `a copy for which the box has no room waits alone, and says how much it needs`() async throws {
    try await FlowHarness.with { harness in
      let box = harness.path("B")
      let mount = try await Program.run("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "none", box])
      try #require(mount.status == 0)
      let text = String(repeating: "x", count: 200_000)
      let result = await Result { () async throws -> Delivery.Wait? in
        let held = try await harness.judged("a.txt", text)
        return await copy(try await copying(held, harness), harness).payload.wait
      }
      _ = try await Program.run("/bin/umount", ["--lazy", box])
      let wait = try #require(try result.get())
      #expect(wait.cause == .payload && wait.waiting == .blocked)
      #expect(wait.message.hasPrefix("box full (needs 200."))
    }
  }

  // MARK: - How many at a time

  @Test func `a few are copied side by side, and long ones never take all places`() async throws {
    try await FlowHarness.with { harness in
      let stage = CopyStage(harness.context, harness.runner)
      for number in 1...8 {
        stage.append(try await harness.judged("\(number).txt") { if number <= 5 { $0.size = 2 << 30 } })
      }
      let begun = (1...5).map { _ in stage.next()?.drop.location.description }
      #expect(begun == ["1.txt", "6.txt", "7.txt", "8.txt", nil])
    }
  }

  @Test func `long ones alone leave one place`() async throws {
    try await FlowHarness.with { harness in
      let stage = CopyStage(harness.context, harness.runner)
      for number in 1...5 { stage.append(try await harness.judged("\(number).txt") { $0.size = 2 << 30 }) }
      #expect((1...4).map { _ in stage.next() != nil } == [true, true, true, false])
      stage.append(try await harness.judged("6.txt"))
      #expect(stage.next()?.drop.location == "6.txt")
    }
  }

  @Test func `where a later file replaces an earlier one, they are copied in their order`() async throws {
    try await FlowHarness.with({ $0.delivery.collision = .replace }) { harness in
      let stage = CopyStage(harness.context, harness.runner)
      for number in 1...2 {
        stage.append(try await harness.judged("\(number).txt") { $0.size = number == 1 ? 2 << 30 : 1 })
      }
      #expect(stage.next()?.drop.location == "1.txt" && stage.next() == nil)
    }
  }
}

extension Result where Failure == any Error {
  /// What an asynchronous body returns or throws.
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
