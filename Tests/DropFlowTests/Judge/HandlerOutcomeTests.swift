import DropEngine
import DropSystem
import Support
import Synchronization
import Testing

@testable import DropFlow

/// What a handler says and what it does to its payload, from release to receipt.
@Suite(.timeLimit(.minutes(1))) struct HandlerOutcomeTests {
  private func with(
    _ handler: any DropHandler, _ settings: (inout ZoneSettings) -> Void = { _ in },
    _ body: (FlowHarness) async throws -> Void
  ) async throws {
    try await FlowHarness.with(handler: handler, settings, body)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var outcome: HandlerOutcome
    /// What the handler does to its payload.
    var does: @Sendable (String) throws -> Void = { _ in }
    var isReached: @Sendable (FlowRecorder.Told) -> Bool
    /// Files that are there in the end, by name and text.
    var files: [String: String]
    var outcomes: [Receipt.Outcome]
  }

  private static let isFinished: @Sendable (FlowRecorder.Told) -> Bool = { !$0.records.isEmpty }

  @Test(arguments: [
    Row(
      testDescription: "accepts", outcome: .accepted(HandlerAnswer(name: "b.txt")), isReached: isFinished,
      files: ["B/b.txt": "hello"], outcomes: [.delivered]),
    Row(
      testDescription: "refuses", outcome: .rejected("no"), isReached: isFinished, files: ["R/a.txt": "hello"],
      outcomes: [.rejected]),
    Row(
      testDescription: "takes it", outcome: .accepted(HandlerAnswer()), does: { try RawPath($0).removeFile() },
      isReached: isFinished, files: [:], outcomes: [.taken]),
    Row(
      testDescription: "removes it and refuses it", outcome: .rejected("no"), does: { try RawPath($0).removeFile() },
      isReached: isFinished, files: [:], outcomes: [.failed]),
    Row(
      testDescription: "changes it and refuses it", outcome: .rejected("no"), does: { try RawPath($0).write("other") },
      isReached: isFinished, files: ["R/a.txt": "other"], outcomes: [.rejected]),
    Row(
      testDescription: "renames it in the hold", outcome: .accepted(HandlerAnswer()),
      does: { try RawPath($0).rename(to: RawPath($0 + ".out")) }, isReached: isFinished, files: ["R/a.txt": "hello"],
      outcomes: [.failed]),
    Row(
      testDescription: "leaves a directory", outcome: .accepted(HandlerAnswer()),
      does: {
        try RawPath($0).removeFile()
        try RawPath($0).makeDirectory()
      }, isReached: isFinished, files: [:], outcomes: [.failed]),
    Row(
      testDescription: "says not yet", outcome: .notYet("later"), isReached: { !$0.settled.isEmpty },
      files: ["Z/a.txt": "hello"], outcomes: []),
    Row(
      testDescription: "changes it and says not yet", outcome: .notYet("later"),
      does: { try RawPath($0).write("more") },
      isReached: { !$0.settled.isEmpty }, files: ["Z/a.txt": "more"], outcomes: []),
    Row(
      testDescription: "changes it at each attempt", outcome: .accepted(HandlerAnswer()),
      does: { try RawPath($0).write("\(newDropID())") }, isReached: isFinished, files: [:], outcomes: [.failed]),
  ])
  func `outcome and what the handler left decide where the payload goes`(_ row: Row) async throws {
    let handler = ScriptedHandler { payloads, answer in
      for payload in payloads {
        try? row.does(payload.path)
        await answer(payload.drop.id, HandlerDecision(row.outcome))
      }
    }
    try await with(handler, { $0.handler.attempts = 2 }) { harness in
      let flow = harness.flow()
      flow.submit([try harness.release("a.txt")])
      let told = await harness.told.told(where: row.isReached)
      #expect(told.records.map(\.outcome) == row.outcomes)
      for (name, text) in row.files { #expect(harness.text(name) == text) }
      if row.files.isEmpty { #expect(harness.names("B").isEmpty) }
      #expect(try harness.ledger.drops().isEmpty)
      await flow.stop()
    }
  }

  @Test func `a handler that may change its payload has its bytes delivered`() async throws {
    let handler = ScriptedHandler { payloads, answer in
      for payload in payloads {
        try? RawPath(payload.path).write("made of it")
        await answer(payload.drop.id, HandlerDecision(.accepted(HandlerAnswer())))
      }
    }
    try await with(handler, { $0.handler.changes = true }) { harness in
      let flow = harness.flow()
      flow.submit([try harness.release("a.txt")])
      let told = await harness.told.told(where: Self.isFinished)
      #expect(told.records.first?.outcome == .delivered && told.records.first?.bytes == 10)
      #expect(harness.text("B/a.txt") == "made of it" && handler.calls.count == 1)
      await flow.stop()
    }
  }

  @Test func `a handler that is unavailable blocks the zone, and costs no attempt`() async throws {
    let isBroken = Mutex(true)
    let handler = ScriptedHandler { payloads, answer in
      for payload in payloads {
        let outcome: HandlerOutcome =
          isBroken.withLock { $0 } ? .blocked("not executable") : .accepted(HandlerAnswer())
        await answer(payload.drop.id, HandlerDecision(outcome))
      }
    }
    try await with(handler) { harness in
      let flow = harness.flow()
      flow.submit([try harness.release("a.txt")])
      let blocked = await harness.told.told { $0.blocked != nil }
      #expect(blocked.blocked == "not executable")
      // What comes in the meantime stays in the zone.
      flow.submit([try harness.release("b.txt")])
      #expect(await harness.told.told { !$0.refusals.isEmpty }.refusals.first?.detail == "not executable")
      isBroken.withLock { $0 = false }
      let told = await harness.told.told { !$0.records.isEmpty && $0.blocked == nil }
      #expect(told.records.first?.attempts == 1)
      await flow.stop()
    }
  }
}
