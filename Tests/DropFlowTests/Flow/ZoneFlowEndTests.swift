import DropSystem
import Support
import Synchronization
import Testing

@testable import DropEngine
@testable import DropFlow

/// How a flow begins and ends, and what operators ask of it after the receipt.
@Suite(.timeLimit(.minutes(1))) struct ZoneFlowEndTests {
  /// A flow that is stopped when the test is over.
  private func with(
    isFar: Bool = false, handler: (any DropHandler)? = nil, types: [String] = [],
    _ settings: (inout ZoneSettings) -> Void = { _ in }, _ body: (FlowHarness, ZoneFlow) async throws -> Void
  ) async throws {
    try await FlowHarness.with(isFar: isFar, handler: handler, types: types, settings) { harness in
      let flow = harness.flow()
      await flow.begin()
      do {
        try await body(harness, flow)
        await flow.stop()
      } catch {
        await flow.stop()
        throw error
      }
    }
  }

  private func receipts(_ count: Int, _ harness: FlowHarness) async -> [ReceiptRecord] {
    await harness.told.told { $0.records.count >= count && $0.inHand == 0 }.records
  }

  @Test func `a stop parks what is under way, and what comes later stays in the zone`() async throws {
    let isAsked = Signal()
    let handler = ScriptedHandler { _, _ in
      isAsked.give()
      await Signal.cancellation()
    }
    try await with(handler: handler) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      await isAsked.wait()
      await flow.stop()
      flow.submit([try harness.release("b.txt")])
      #expect(harness.names("Z") == ["b.txt"] && harness.names("B.hold").count == 1)
      #expect(try harness.ledger.drops().map(\.state) == [.claiming])
      await #expect(throws: RetryableError.self) { try await flow.undo(harness.anyReceipt()) }
      await #expect(throws: RetryableError.self) { try await flow.retry(harness.anyReceipt(), force: false) }
    }
  }

  @Test func `what a stop parked is finished by the next flow`() async throws {
    for state in [Drop.State.claiming, .placing] {
      try await FlowHarness.with { harness in
        var row = try harness.row("a.txt")
        if state == .placing {
          row.state = .placing
          row.verdict = .accepted(message: nil)
          (row.destinationRoot, row.destinationName) = (row.boxPath, "a.txt")
        }
        try await harness.ledger.commit([.put(row)])
        let flow = harness.flow()
        #expect(await flow.recover([row], isCleanStop: true).isEmpty)
        // What becomes of it is told to the zone, so it waits for that.
        #expect(harness.names("B").isEmpty && harness.told.told.inHand == 1)
        await flow.begin()
        #expect(await receipts(1, harness).map(\.outcome) == [.delivered])
        #expect(harness.text("B/a.txt") == "hello")
        await flow.stop()
      }
    }
  }

  @Test func `what recovery leaves in the zone is said with its attempts, before the first scan`() async throws {
    try await FlowHarness.with { harness in
      var row = try harness.row("a.txt") { $0.attempts = 3 }
      row.state = .returning
      try await harness.ledger.commit([.put(row)])
      let flow = harness.flow()
      let counts = await flow.recover([row], isCleanStop: false)
      #expect(counts.map(\.attempts) == [3] && harness.text("Z/a.txt") == "hello")
      #expect(try harness.ledger.drops().isEmpty && harness.told.told.inHand == 0)
      await flow.stop()
    }
  }

  @Test func `a copy that only lacks its name has it before the first scan`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let row = try harness.row("a.txt")
      try RawPath(row.holdPath).appending(RawPath(row.entry)).removeFile()
      try harness.write("B/.dropzone-\(row.id)", "hello")
      var copied = row
      copied.state = .copied
      copied.verdict = .accepted(message: nil)
      (copied.destinationRoot, copied.destinationName) = (row.boxPath, "a.txt")
      copied.copyInode = try harness.status("B/.dropzone-\(row.id)").identity.inode
      try await harness.ledger.commit([.put(copied)])
      let flow = harness.flow()
      #expect(await flow.recover([copied], isCleanStop: false).isEmpty)
      #expect(harness.names("B") == ["a.txt"])
      #expect(try harness.ledger.outcome(of: row.id)?.outcome == .delivered && harness.ledger.drops().isEmpty)
      await flow.stop()
    }
  }

  @Test func `what lies in the hold without a row is in the rejects`() async throws {
    try await FlowHarness.with { harness in
      _ = try harness.hold()
      let id = newDropID()
      try harness.write("B.hold/\(id).txt", "lost")
      let flow = harness.flow()
      await flow.recoverOrphans()
      await flow.begin()
      let record = try #require(await receipts(1, harness).first)
      #expect(record.id == id && record.code == .ledgerLost)
      #expect(harness.text("R/recovered-\(id).txt") == "lost")
      await flow.stop()
    }
  }

  @Test func `a flow that retires takes nothing more, finishes what it has, and lets its handler go`() async throws {
    let (isAsked, answers) = (Signal(), Signal())
    let handler = ScriptedHandler { payloads, answer in
      isAsked.give()
      await answers.wait()
      for payload in payloads { await answer(payload.drop.id, HandlerDecision(.accepted(HandlerAnswer()))) }
    }
    try await with(handler: handler) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      await isAsked.wait()
      await flow.retire()
      flow.submit([try harness.release("b.txt")])
      #expect(!handler.isClosed)
      answers.give()
      _ = await receipts(1, harness)
      await eventually { await flow.isIdle }
      #expect(harness.names("B") == ["a.txt"] && harness.names("Z") == ["b.txt"] && handler.isClosed)
    }
  }

  // MARK: - Operators

  @Test func `a delivery is undone once, and what was refused is tried again under its id`() async throws {
    let isAccepting = Mutex(false)
    let handler = ScriptedHandler { payloads, answer in
      for payload in payloads {
        let outcome: HandlerOutcome = isAccepting.withLock { $0 } ? .accepted(HandlerAnswer()) : .rejected("no")
        await answer(payload.drop.id, HandlerDecision(outcome))
      }
    }
    try await with(handler: handler) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      let refused = try #require(await receipts(1, harness).first)
      #expect(refused.outcome == .rejected)
      await #expect(throws: RetryableError.self) { try await flow.undo(refused) }

      isAccepting.withLock { $0 = true }
      try await flow.retry(refused, force: false)
      let delivered = try #require(await receipts(2, harness).last)
      #expect(delivered.outcome == .delivered && delivered.id == refused.id)
      #expect(harness.names("R").isEmpty && harness.text("B/a.txt") == "hello")
      await #expect(throws: RetryableError.self) { try await flow.retry(delivered, force: false) }

      // Its row ends after the receipt.
      try await eventually { try harness.ledger.drops().isEmpty }
      try await flow.undo(delivered)
      #expect(harness.text("Z/a.txt") == "hello" && harness.names("B").isEmpty)
      let undone = try #require(try harness.ledger.outcome(of: refused.id))
      #expect(undone.outcome == .undone)
      await #expect(throws: RetryableError.self) { try await flow.undo(undone) }
    }
  }

  @Test func `what an operator takes anyway is not asked about`() async throws {
    try await with(handler: ScriptedHandler(.rejected("no"))) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      let refused = try #require(await receipts(1, harness).first)
      try await flow.retry(refused, force: true)
      let forced = try #require(await receipts(2, harness).last)
      #expect(forced.outcome == .delivered && forced.message == "released by an operator")
      #expect(harness.names("B") == ["a.txt"])
    }
  }
}

extension FlowHarness {
  /// A receipt of a payload that is nowhere.
  fileprivate func anyReceipt() throws -> ReceiptRecord {
    var row = try row("none.txt")
    row.verdict = .accepted(message: nil)
    return ReceiptRecord(verdictOf: row, place: path("B/none.txt"), finished: 1)
  }
}
