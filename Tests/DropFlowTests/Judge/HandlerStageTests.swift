import DropEngine
import DropSystem
import Support
import Synchronization
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct HandlerStageTests {
  /// A stage with a handler, which takes the answers as they come, and everything that has left it.
  private actor Rig {
    private let stage: HandlerStage
    private let handler: any DropHandler
    private(set) var done: [ClaimedPayload] = []

    init(_ harness: FlowHarness) throws {
      handler = try #require(harness.context.plan.handler)
      stage = HandlerStage(harness.context, harness.runner)
    }

    func append(_ payload: ClaimedPayload) { stage.append(payload) }
    var next: [ClaimedPayload]? { stage.next() }
    var isIdle: Bool { stage.isIdle }
    var trouble: String? { stage.overdueTrouble }

    /// Asks about all that are there, batch by batch.
    func askAll() async {
      while let batch = stage.next() { await run(batch) }
    }

    func run(_ batch: [ClaimedPayload]) async {
      await stage.run(batch, by: handler) { [weak self] id, decision, call in
        _ = await self?.answer(id, decision, in: call)
      } finish: { payloads, _ in
        done += payloads
      }
    }

    /// Whether the answer was the first of its payload.
    func answer(_ id: DropID, _ decision: HandlerDecision, in call: Int) async -> Bool {
      guard let (payload, _) = await stage.answer(id, decision, in: call) else { return false }
      done.append(payload)
      return true
    }
  }

  private func with(
    _ handler: any DropHandler, _ settings: (inout ZoneSettings) -> Void = { _ in },
    _ body: (FlowHarness) async throws -> Void
  ) async throws {
    try await FlowHarness.with(handler: handler, settings, body)
  }

  @Test func `an attempt is in the ledger before its handler is called`() async throws {
    let seen = Mutex<[Int?]>([])
    let place = Mutex<Ledger?>(nil)
    let handler = ScriptedHandler { payloads, answer in
      for payload in payloads {
        let row = try? place.withLock { $0 }?.drop(payload.drop.id)
        seen.withLock { $0.append(row?.attempts) }
        await answer(payload.drop.id, HandlerDecision(.accepted(HandlerAnswer())))
      }
    }
    try await with(handler) { harness in
      place.withLock { $0 = harness.ledger }
      let flow = harness.flow()
      flow.submit([try harness.release("a.txt")])
      let told = await harness.told.told { !$0.records.isEmpty }
      #expect(seen.withLock { $0 } == [1] && told.records.map(\.attempts) == [1])
      await flow.stop()
    }
  }

  @Test func `payloads of one session are asked about together, and others by themselves`() async throws {
    let handler = ScriptedHandler(batchLimit: 3, .accepted(HandlerAnswer()))
    try await with(handler, { $0.handler.workers = 4 }) { harness in
      let rig = try Rig(harness)
      for (number, session) in [1, 1, 1, 1, 2].enumerated() {
        var payload = try await harness.judged("\(number).txt")
        payload.session = DropID(milliseconds: UInt64(session), high: 0, low: 0)
        await rig.append(payload)
      }
      await rig.askAll()
      #expect(handler.calls.map(\.count) == [3, 1, 1])
      #expect(await rig.isIdle)
      #expect(handler.calls.flatMap { $0 }.map(\.path).allSatisfy { $0.hasPrefix(harness.path("B.hold").description) })
    }
  }

  @Test func `no more is asked at a time than there are workers`() async throws {
    try await with(ScriptedHandler(.accepted(HandlerAnswer())), { $0.handler.workers = 2 }) { harness in
      let rig = try Rig(harness)
      for number in 1...3 { await rig.append(try await harness.judged("\(number).txt")) }
      let first = try #require(await rig.next)
      #expect(await rig.next != nil)
      #expect(await rig.next == nil)
      #expect(await !rig.isIdle)
      await rig.run(first)
      #expect(await rig.next != nil)
    }
  }

  @Test func `one over which the daemon may have died is asked about while nobody else is`() async throws {
    try await with(ScriptedHandler(batchLimit: 8, .accepted(HandlerAnswer())), { $0.handler.workers = 4 }) { harness in
      let rig = try Rig(harness)
      await rig.append(try await harness.judged("1.txt"))
      await rig.append(try await harness.judged("2.txt") { $0.starts = 1 })
      await rig.append(try await harness.judged("3.txt"))
      let first = try #require(await rig.next)
      #expect(first.count == 1)
      #expect(await rig.next == nil)
      await rig.run(first)
      let suspect = try #require(await rig.next)
      #expect(suspect.map(\.drop.starts) == [1])
      #expect(await rig.next == nil)
      await rig.run(suspect)
      #expect(await rig.next?.count == 1)
      // Its turn is over, and another zone may have it.
      _ = await harness.context.suspects.take()
    }
  }

  @Test func `one that was tried before is asked about alone`() async throws {
    try await with(ScriptedHandler(batchLimit: 8, .accepted(HandlerAnswer())), { $0.handler.workers = 8 }) { harness in
      let rig = try Rig(harness)
      for attempts in [1, 0, 0] { await rig.append(try await harness.judged { $0.attempts = attempts }) }
      #expect(await rig.next?.count == 1)
      #expect(await rig.next?.count == 2)
    }
  }

  // MARK: - Answers

  @Test func `the first answer for a payload counts, and no answer is a failed attempt`() async throws {
    let handler = ScriptedHandler(batchLimit: 3) { payloads, answer in
      await answer(payloads[0].drop.id, HandlerDecision(.rejected("no")))
      await answer(payloads[0].drop.id, HandlerDecision(.accepted(HandlerAnswer())))
      await answer(newDropID(), HandlerDecision(.accepted(HandlerAnswer())))
    }
    try await with(handler) { harness in
      let rig = try Rig(harness)
      for number in 1...2 { await rig.append(try await harness.judged("\(number).txt")) }
      await rig.askAll()
      let done = await rig.done
      try #require(done.count == 2)
      #expect(done[0].drop.verdict == .rejected(.handler, message: "no"))
      #expect(done[1].wait?.message == "handler failed: it gave no answer")
      #expect(done[1].drop.attempts == 1)
    }
  }

  @Test func `an answer after the call has ended is too late`() async throws {
    try await with(ScriptedHandler(.accepted(HandlerAnswer()))) { harness in
      let rig = try Rig(harness)
      await rig.append(try await harness.judged())
      let batch = try #require(await rig.next)
      await rig.run(batch)
      #expect(await !rig.answer(batch[0].id, HandlerDecision(.rejected("late")), in: 0))
      #expect(await rig.done.map(\.drop.isAccepted) == [true])
    }
  }

  @Test func `calls that do not return keep their workers, and the zone says so`() async throws {
    let (isAnswered, returns) = (Signal(), Signal())
    let handler = ScriptedHandler { payloads, answer in
      var decision = HandlerDecision(.failed("no answer in time"))
      decision.isOverdue = true
      for payload in payloads { await answer(payload.drop.id, decision) }
      isAnswered.give()
      await returns.wait()
    }
    try await with(handler, { $0.handler.timeout = .seconds(30) }) { harness in
      let rig = try Rig(harness)
      for number in 1...2 { await rig.append(try await harness.judged("\(number).txt")) }
      let batch = try #require(await rig.next)
      async let call: Void = rig.run(batch)
      await isAnswered.wait()
      #expect(await rig.trouble == "the handler is unavailable: a call has not returned after 30s")
      #expect(await rig.next == nil)
      returns.give()
      await call
      #expect(await rig.trouble == nil)
      #expect(await rig.next?.count == 1)
    }
  }

  // MARK: - Stops

  @Test func `a stop takes the attempt back`() async throws {
    let began = Signal()
    let handler = ScriptedHandler { _, _ in
      began.give()
      await Signal.cancellation()
    }
    try await with(handler) { harness in
      let flow = harness.flow()
      flow.submit([try harness.release("a.txt")])
      await began.wait()
      let row = try #require(try harness.ledger.drops().first)
      #expect(row.attempts == 1 && row.starts == 1)
      await flow.stop()
      let parked = try #require(try harness.ledger.drops().first)
      #expect(parked.attempts == 0 && parked.starts == 0 && parked.state == .claiming)
      #expect(harness.names("B.hold") == [row.entry] && handler.isClosed)
    }
  }
}
