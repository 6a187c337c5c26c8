import DropSystem
import Support
import Testing

@testable import DropEngine
@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct ReturnStageTests {
  /// A payload that is about to go back, as its handler said.
  private func returning(
    _ name: String, _ harness: FlowHarness, retryAfter: Duration? = .seconds(300),
    _ change: (inout Drop) throws -> Void = { _ in }
  ) async throws -> ClaimedPayload {
    var payload = try await harness.judged(name, "hello", change)
    for event: Delivery.Event in [
      .workerFree, .done, .answered(.notYet("later"), report: nil, retryAfter: retryAfter),
      .inspected(.same, nameIsFree: false),
    ] { payload.receive(event) }
    #expect(payload.delivery.stage == .giveBack)
    return payload
  }

  private func giveBack(
    _ payload: ClaimedPayload, _ harness: FlowHarness
  ) async -> (payload: ClaimedPayload, receipts: [ReceiptRecord]) {
    await ReturnStage(harness.context, harness.runner).run(payload)
  }

  private func with(
    isFar: Bool = false, _ settings: (inout ZoneSettings) -> Void = { _ in }, _ body: (FlowHarness) async throws -> Void
  ) async throws {
    try await FlowHarness.with(isFar: isFar, handler: ScriptedHandler(.notYet(nil)), settings, body)
  }

  // MARK: - Not yet

  @Test func `a payload goes back under its own name, and staging knows it before it appears`() async throws {
    try await with { harness in
      let payload = try await returning("sub/a.txt", harness)
      let back = await giveBack(payload, harness).payload
      #expect(harness.text("Z/sub/a.txt") == "hello" && harness.names("B.hold").isEmpty)
      guard case .leftInZone(let count?) = back.delivery.step else { throw NotLeft() }
      #expect(count.attempts == 1 && count.id == payload.id)
      #expect(try harness.ledger.attempts(in: "z") == [count] && harness.ledger.drops().isEmpty)
      let told = try #require(harness.told.told.returns.first)
      #expect(try told.identity == harness.status("Z/sub/a.txt").identity)
      #expect(told.origin.id == payload.id && told.origin.attempts == 1 && told.origin.held?.detail == "later")
      #expect(told.origin.held?.back == .seconds(300) && told.origin.held?.endsAtChange == true)
    }
  }

  @Test func `a directory that was removed in the meantime is made again like the zone`() async throws {
    try await with { harness in
      try harness.path("Z").setMode(0o2775)
      _ = await giveBack(try await returning("sub/low/a.txt", harness), harness)
      #expect(harness.text("Z/sub/low/a.txt") == "hello")
      #expect(try harness.status("Z/sub").mode & 0o7777 == 0o2775)
    }
  }

  @Test func `a payload whose name is taken waits in the hold, and its handler is asked again there`() async throws {
    try await with { harness in
      try harness.write("Z/a.txt", "another")
      let payload = try await returning("a.txt", harness)
      let waiting = await giveBack(payload, harness).payload
      #expect(waiting.wait?.waiting == .retry && harness.text("Z/a.txt") == "another")
      #expect(waiting.wait?.message.hasPrefix("later; it cannot be put back: ") == true)
      #expect(harness.names("B.hold") == [payload.drop.entry])
    }
  }

  @Test func `nothing goes back through a link`() async throws {
    try await with { harness in
      try harness.path("outside").makeDirectory()
      try harness.path("Z/sub").makeLink(to: "../outside")
      let waiting = await giveBack(try await returning("sub/a.txt", harness), harness).payload
      #expect(waiting.wait != nil && harness.names("outside").isEmpty && harness.names("B.hold").count == 1)
    }
  }

  @Test func `a payload that has left the hold was withdrawn`() async throws {
    try await with { harness in
      let payload = try await returning("a.txt", harness)
      try harness.heldPath(payload).removeFile()
      var payloads = [await giveBack(payload, harness).payload]
      #expect(await harness.runner.run(&payloads, in: .receipts).map(\.outcome) == [.withdrawn])
    }
  }

  @Test func `a payload whose hold is away waits`() async throws {
    try await with { harness in
      let payload = try await returning("a.txt", harness)
      try harness.path("B.hold").rename(to: harness.path("away"))
      let waiting = await giveBack(payload, harness)
      #expect(waiting.payload.wait?.waiting == .retry && waiting.receipts.isEmpty)
    }
  }

  @Test func `of a copy only the snapshot goes, and the original is staged again`() async throws {
    try await with { harness in
      try harness.write("Z/a.txt")
      let original = try harness.status("Z/a.txt")
      let payload = try await returning("a.txt", harness) { $0.becomeCopy(of: original) }
      let back = await giveBack(payload, harness).payload
      guard case .leftInZone(let count?) = back.delivery.step else { throw NotLeft() }
      #expect(count.inode == original.identity.inode && harness.names("B.hold").isEmpty)
      #expect(harness.told.told.notComing == ["a.txt"])
      #expect(harness.told.told.returns.map(\.identity) == [original.identity])
      #expect(harness.told.told.returns.first?.origin.held?.detail == "later")
    }
  }

  @Test func `a snapshot whose original is gone is all there is`() async throws {
    try await with { harness in
      let payload = try await returning("a.txt", harness) {
        $0.becomeCopy(of: try Directory($0.holdPath).status(of: RawPath($0.entry)))
      }
      let waiting = await giveBack(payload, harness).payload
      #expect(waiting.wait?.message == "later; its original is not there" && harness.names("B.hold").count == 1)
    }
  }

  private struct NotLeft: Error {}
}

extension Drop {
  /// The payload in the hold is a copy of a file in the zone.
  fileprivate mutating func becomeCopy(of file: FileStatus) {
    operation = .copy
    original = Original(
      inode: file.identity.inode, birth: file.identity.birth, modified: file.modified, changed: file.changed)
  }
}
