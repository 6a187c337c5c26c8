import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct ReceiptStageTests {
  private func finish(
    _ payloads: [ClaimedPayload], _ harness: FlowHarness
  ) async -> (payloads: [ClaimedPayload], receipts: [ReceiptRecord]) {
    let stage = ReceiptStage(harness.context, harness.runner)
    for payload in payloads { stage.append(payload) }
    #expect(stage.count == payloads.count)
    var result: ([ClaimedPayload], [ReceiptRecord]) = ([], [])
    await stage.run({ .init() }) { payloads, records in
      result.0 += payloads
      result.1 += records
    }
    #expect(stage.count == 0 && !stage.isRunning)
    return result
  }

  private func place(_ payloads: [ClaimedPayload], _ harness: FlowHarness) async -> [ClaimedPayload] {
    let placed = await PlaceStage(harness.context, harness.runner).run(payloads, shut: [:], .init()).payloads
    let copies = CopyStage(harness.context, harness.runner)
    var ready: [ClaimedPayload] = []
    for payload in placed {
      ready.append(payload.delivery.stage == .copy ? await copies.run(payload).0 : payload)
    }
    return ready
  }

  @Test func `payloads in their places get their receipts, and their rows end`() async throws {
    try await FlowHarness.with { harness in
      let payloads = [
        try await harness.judged("a.txt"), try await harness.refused("b.txt"), try await harness.judged("sub/c.txt"),
      ]
      let finished = await finish(await place(payloads, harness), harness)
      #expect(finished.payloads.allSatisfy { $0.delivery.step == .finished })
      #expect(finished.receipts.map(\.outcome) == [.delivered, .rejected, .delivered])
      #expect(
        finished.receipts.map(\.place) == [
          harness.path("B/a.txt"), harness.path("R/b.txt"), harness.path("B/sub/c.txt"),
        ])
      #expect(try harness.ledger.drops().isEmpty && harness.ledger.receipts().count == 3)
      #expect(try harness.ledger.totals(of: "z") == ZoneTotals(accepted: 2, rejected: 1))
    }
  }

  @Test func `after the receipt of a copy its source goes, and then its row`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let finished = await finish(await place([try await harness.judged()], harness), harness)
      #expect(finished.receipts.map(\.outcome) == [.delivered])
      #expect(harness.names("Z.hold").isEmpty && harness.text("B/a.txt") == "hello")
      #expect(try harness.ledger.drops().isEmpty)
    }
  }

  @Test func `a source that a power cut brought back to the zone goes as well, and another file of its name stays`()
    async throws
  {
    for isPayload in [true, false] {
      try await FlowHarness.with(isFar: true) { harness in
        let payload = try #require(await place([try await harness.judged()], harness).first)
        if isPayload {
          try harness.heldPath(payload).rename(to: harness.path("Z/a.txt"))
        } else {
          try harness.write("Z/a.txt", "another")
        }
        _ = await finish([payload], harness)
        #expect(harness.names("Z") == (isPayload ? [] : ["a.txt"]) && harness.names("Z.hold").isEmpty)
        #expect(try harness.ledger.drops().isEmpty)
      }
    }
  }

  @Test func `a copied payload whose hold is away keeps its row`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      var payload = try #require(await place([try await harness.judged()], harness).first)
      payload.closeFiles()
      try harness.path("Z.hold").rename(to: harness.path("away"))
      let finished = await finish([payload], harness)
      #expect(finished.receipts.map(\.outcome) == [.delivered])
      #expect(finished.payloads.first?.wait?.waiting == .retry)
      #expect(try harness.row(of: payload)?.state == .placed)
    }
  }

  // MARK: - Originals that go back

  /// A payload that is in the box by copy, as its handler wanted, and whose original goes back to the zone.
  private func copied(_ name: String, _ harness: FlowHarness) async throws -> ClaimedPayload {
    var payload = try await harness.judged(name)
    let answer = HandlerAnswer(operation: .copy)
    for event: Delivery.Event in [
      .workerFree, .done, .answered(.accepted(answer), report: nil, retryAfter: nil),
      .inspected(.same, nameIsFree: true),
    ] { payload.receive(event) }
    return try #require(await place([payload], harness).first)
  }

  private func withHandler(_ body: (FlowHarness) async throws -> Void) async throws {
    try await FlowHarness.with(handler: ScriptedHandler(.accepted(HandlerAnswer())), { _ in }, body)
  }

  @Test func `the original of a copy that a handler wanted goes back under its own name`() async throws {
    try await withHandler { harness in
      let finished = await finish([try await copied("sub/a.txt", harness)], harness)
      #expect(finished.payloads.first?.delivery.step == .finished && finished.receipts.count == 1)
      #expect(harness.text("Z/sub/a.txt") == "hello" && harness.text("B/sub/a.txt") == "hello")
      #expect(harness.names("B.hold").isEmpty)
      // Noted before it appears, and again with its change time.
      #expect(harness.told.told.notes.map(\.location) == ["sub/a.txt", "sub/a.txt"])
      let note = try #require(try harness.ledger.originals(in: "z").first)
      #expect(note.holds(for: try harness.status("Z/sub/a.txt")) == true)
    }
  }

  @Test func `an original whose name is taken gets the next one`() async throws {
    try await withHandler { harness in
      try harness.write("Z/a.txt", "another")
      _ = await finish([try await copied("a.txt", harness)], harness)
      #expect(harness.text("Z/a.txt") == "another" && harness.text("Z/a.1.txt") == "hello")
      #expect(try harness.ledger.originals(in: "z").map(\.location) == ["a.1.txt"])
    }
  }

  @Test func `an original whose hold is away waits for it`() async throws {
    try await withHandler { harness in
      let payload = try await copied("a.txt", harness)
      try harness.path("B.hold").rename(to: harness.path("away"))
      let waiting = try #require(await finish([payload], harness).payloads.first)
      #expect(waiting.wait?.waiting == .retry && harness.names("Z").isEmpty)
      #expect(try harness.row(of: payload)?.state == .placed)
    }
  }

  // MARK: - Emptied directories

  @Test func `payloads leave their directories and those above them`() async throws {
    try await FlowHarness.with { harness in
      let drops = try ["a.txt", "sub/b.txt", "sub/low/c.txt", "other/d.txt"].map { try harness.row($0) }
      #expect(EmptyDirectories.left(by: drops) == ["sub", "sub/low", "other"])
    }
  }

  @Test func `empty directories go, the deepest first, and others stay`() async throws {
    try await FlowHarness.with({ $0.staging.quiet = .zero }) { harness in
      try harness.path("Z/sub").makeDirectory()
      try harness.path("Z/sub/low").makeDirectory()
      try harness.write("Z/used/a.txt")
      try harness.path("outside").makeDirectory()
      try harness.path("Z/link").makeLink(to: "../outside")
      await EmptyDirectories(context: harness.context).remove(["sub", "sub/low", "used", "link", "gone"])
      #expect(harness.names("Z") == ["link", "used"] && harness.path("outside").exists)
    }
  }

  @Test func `a directory whose time lies ahead never gets old, and stays`() async throws {
    try await FlowHarness.with({ $0.staging.quiet = .zero }) { harness in
      try harness.path("Z/sub").makeDirectory()
      try harness.path("Z/sub").setModified(seconds: wallNow() / 1000 + 3600)
      await EmptyDirectories(context: harness.context).remove(["sub"])
      #expect(harness.names("Z") == ["sub"])
    }
  }
}
