import DropSystem
import Support
import Testing

@testable import DropEngine
@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct PlaceStageTests {
  private func place(
    _ payloads: [ClaimedPayload], _ harness: FlowHarness, shut: [String: String] = [:]
  ) async -> [ClaimedPayload] {
    await PlaceStage(harness.context, harness.runner).run(payloads, shut: shut, .init()).payloads
  }

  @Test func `an accepted payload is renamed into the box, and its row has the name`() async throws {
    try await FlowHarness.with { harness in
      let payload = try #require(await place([harness.judged("sub/a.txt", "text")], harness).first)
      #expect(payload.delivery.stage == .receipts && harness.names("B.hold").isEmpty)
      #expect(harness.text("B/sub/a.txt") == "text")
      let row = try #require(try harness.row(of: payload))
      #expect(row.state == .placing && row.destinationRoot == harness.context.settings.box)
      #expect(row.destinationDirectory == "sub" && row.destinationName == "a.txt")
    }
  }

  @Test func `a refused payload is in the rejects with its reason beside it`() async throws {
    try await FlowHarness.with { harness in
      let payload = try #require(await place([harness.refused("sub/a.txt")], harness).first)
      #expect(payload.delivery.stage == .receipts)
      #expect(harness.names("R/sub") == ["a.txt", "a.txt.reason.json"])
      let reason = try #require(harness.text("R/sub/a.txt.reason.json"))
      #expect(ReasonFile.id(in: Array(reason.utf8)) == payload.id.description)
      #expect(reason.contains("\"type\"") && reason.contains("\"message\" : \"no\""))
    }
  }

  @Test func `rejects that are missing are made like the box`() async throws {
    try await FlowHarness.with { harness in
      try harness.path("R").removeDirectory()
      try harness.path("B").setMode(0o2770)
      _ = await place([try await harness.refused()], harness)
      #expect(harness.names("R") == ["a.txt", "a.txt.reason.json"])
      #expect(try harness.status("R").mode & 0o7777 == 0o2770)
    }
  }

  @Test func `a batch is placed in its order, each under a name of its own`() async throws {
    try await FlowHarness.with { harness in
      var payloads: [ClaimedPayload] = []
      for number in 1...40 { payloads.append(try await harness.judged("a.txt", "\(number)")) }
      let placed = await place(payloads, harness)
      #expect(placed.allSatisfy { $0.delivery.stage == .receipts })
      #expect(harness.text("B/a.txt") == "1" && harness.text("B/a.1.txt") == "2" && harness.text("B/a.39.txt") == "40")
      #expect(harness.names("B").count == 40)
    }
  }

  @Test func `the sender's mode stays, and the group's rights are the box's where the box hands its group on`()
    async throws
  {
    try await FlowHarness.with { harness in
      let plain = try await harness.judged("a.txt")
      try harness.heldPath(plain).setMode(0o600)
      // The change time is that of the claim.
      var set = try await harness.judged("b.txt") {
        try RawPath($0.holdPath).appending(RawPath($0.entry)).setMode(0o600)
        $0.changed = try Directory($0.holdPath).status(of: RawPath($0.entry)).changed
      }
      try harness.path("B").setMode(0o2770)
      set = try #require(await place([set], harness).first)
      #expect(try harness.status("B/b.txt").mode & 0o777 == 0o660)
      #expect(set.delivery.destination?.changed != nil && set.delivery.destination?.ownWarnings == [])
    }
  }

  // MARK: - The last look

  @Test(arguments: ["written", "replaced"])
  func `a payload that changed since it was judged is judged again`(how: String) async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.judged()
      if how == "written" {
        try harness.heldPath(payload).write("another")
      } else {
        try harness.write("other", "another")
        try Directory.working.rename(
          harness.path("other"), to: harness.heldPath(payload), in: .working, replacing: true)
      }
      let voided = try #require(await place([payload], harness).first)
      #expect(voided.delivery.stage == .judge && voided.drop.size == 7 && voided.drop.verdict == nil)
      #expect(harness.names("B").isEmpty)
    }
  }

  @Test func `another name of the payload is no change`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.judged()
      try harness.heldPath(payload).makeHardLink(harness.path("other"))
      // It has two names now, so its bytes stay its own.
      let placed = try #require(await place([payload], harness).first)
      #expect(placed.drop.isAccepted && placed.delivery.stage == .receipts)
    }
  }

  @Test func `a payload with a second name is copied`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.judged("a.txt") {
        try RawPath($0.holdPath).appending(RawPath($0.entry)).makeHardLink(harness.path("other"))
      }
      let placed = try #require(await place([payload], harness).first)
      #expect(placed.delivery.stage == .copy && placed.delivery.step == .copy(.hold, to: .temporary))
      #expect(try harness.row(of: payload)?.state == .placing)
    }
  }

  @Test func `a payload that is open for writing waits, and its verdict stands`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.judged()
      var writer: FileDescriptor? = try FileDescriptor.open(harness.heldPath(payload), [.readWrite])
      var waiting = try #require(await place([payload], harness).first)
      #expect(waiting.wait?.waiting == .writer && waiting.drop.isAccepted && harness.names("B").isEmpty)
      _ = writer.take()
      waiting.resume()
      waiting.closeFiles()
      #expect(await place([waiting], harness).first?.delivery.stage == .receipts)
    }
  }

  @Test func `a reject is placed whatever somebody does to it`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.refused()
      let writer = try FileDescriptor.open(harness.heldPath(payload), [.readWrite])
      #expect(await place([payload], harness).first?.delivery.stage == .receipts)
      _ = consume writer
    }
  }

  @Test func `a payload that has left the hold was withdrawn`() async throws {
    try await FlowHarness.with { harness in
      var payload = try await harness.judged()
      payload.closeFiles()
      try harness.heldPath(payload).removeFile()
      var placed = await place([payload], harness)
      #expect(await harness.runner.run(&placed, in: .receipts).map(\.outcome) == [.withdrawn])
    }
  }

  // MARK: - Places

  @Test func `a place that others wait for is not touched`() async throws {
    try await FlowHarness.with { harness in
      let box = harness.context.settings.box
      let placed = await place(
        [try await harness.judged("a.txt"), try await harness.refused("b.txt")], harness, shut: [box: "it is full"])
      #expect(placed[0].wait == Delivery.Wait(.blocked, "it is full", cause: .place(box)))
      #expect(placed[1].delivery.stage == .receipts)
    }
  }

  @Test(arguments: ["B", "R"])
  func `a payload waits for a place that is not there`(place name: String) async throws {
    try await FlowHarness.with { harness in
      let payload = name == "B" ? try await harness.judged() : try await harness.refused()
      let path = name == "B" ? harness.context.settings.box : harness.context.settings.rejects
      try harness.path(name).removeDirectory()
      // Rejects are made if they are missing, unless something else has their name.
      if name == "R" { try harness.write("R") }
      let waiting = try #require(await place([payload], harness).first)
      #expect(waiting.wait?.cause == .place(path) && waiting.wait?.message.contains("'\(path)'") == true)
      #expect(harness.names("B.hold").count == 1 && waiting.drop.state == .claiming)
    }
  }

  @Test func `a box that was a mount point and is none now is not written to`() async throws {
    try await FlowHarness.with { harness in
      await harness.context.mountPoints.remember(harness.context.settings.box)
      let waiting = try #require(await place([harness.judged()], harness).first)
      #expect(waiting.wait?.message.hasSuffix("was a mount point and is none now") == true)
      #expect(harness.names("B").isEmpty)
    }
  }

  @Test func `a link in the box's place below the root is not followed`() async throws {
    try await FlowHarness.with { harness in
      try harness.path("outside").makeDirectory()
      try harness.path("B/sub").makeLink(to: "../outside")
      let placed = try #require(await place([harness.judged("sub/a.txt")], harness).first)
      #expect(placed.delivery.stage == .receipts && harness.names("outside").isEmpty)
      #expect(harness.text("B/sub.1/a.txt") == "hello")
    }
  }

  @Test func `a name that the box cannot have sends its payload to the rejects`() async throws {
    try await FlowHarness.with { harness in
      var payload = try await harness.judged("a.txt")
      payload.delivery.wishes.name = RawPath(String(repeating: "n", count: 256))
      let placed = try #require(await place([payload], harness).first)
      #expect(
        placed.drop.verdict == .rejected(.boxName, message: "the name has 256 bytes and the box takes 255"))
    }
  }
}
