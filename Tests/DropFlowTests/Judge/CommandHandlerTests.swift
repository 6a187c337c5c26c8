import DropEngine
import DropSystem
import Support
import Synchronization
import Testing

@testable import DropFlow

/// Handlers that are programs: one process each, or one that keeps running.
@Suite(.timeLimit(.minutes(1))) struct CommandHandlerTests {
  /// What a handler decides about payloads in the hold, by their locations.
  private func decide(
    _ handler: any DropHandler, on payloads: [ClaimedPayload]
  ) async -> [String: HandlerDecision] {
    let decisions = Mutex<[DropID: HandlerDecision]>([:])
    await handler.decide(on: payloads.map(HeldPayload.init)) { id, decision in
      decisions.withLock { $0[id] = $0[id] ?? decision }
    }
    let found = decisions.withLock { $0 }
    return Dictionary(
      uniqueKeysWithValues: payloads.compactMap { payload in
        found[payload.id].map { (payload.drop.location.description, $0) }
      })
  }

  private func script(_ text: String, _ harness: FlowHarness) throws -> [String] {
    try harness.path("handler.sh").write("#!/bin/sh\n" + text, mode: 0o755)
    return [harness.path("handler.sh").description]
  }

  @Test func `a command gets the payload's path, its facts in the environment, and the same on standard input`()
    async throws
  {
    try await FlowHarness.with { harness in
      let command = try script("env > \"$1\"; cat >> \"$1\"; shift; echo \"$@\" > \"$0.args\"\n", harness)
      let payload = try await harness.judged("sub/a b.txt") { $0.attempts = 2 }
      let handler = CommandHandler(command: command + [harness.path("facts").description, "x"], timeout: .seconds(30))
      let decision = await decide(handler, on: [payload])["sub/a b.txt"]
      #expect(decision?.outcome == .accepted(HandlerAnswer()) && decision?.report?.exit == 0)
      let facts = harness.path("facts").lines()
      for line in [
        "DROP_ID=\(payload.id)", "DROP_ZONE=z", "DROP_NAME=a b.txt", "DROP_LOCATION=sub/a b.txt",
        "DROP_PATH=\(harness.heldPath(payload))", "DROP_TYPE=text/plain", "DROP_CLAIMED_TYPE=", "DROP_GRADE=proved",
        "DROP_BYTES=5", "DROP_ATTEMPT=2",
      ] { #expect(facts.contains(line), "\(line)") }
      #expect(facts.last?.contains("\"id\":\"\(payload.id)\"") == true)
      #expect(harness.path("handler.sh.args").lines() == ["x \(harness.heldPath(payload))"])
    }
  }

  @Test(arguments: [
    ("exit 0", "accepted"), ("echo paid; exit 0", "accepted"), ("echo no; exit 1", "rejected"), ("exit 75", "notYet"),
    ("exit 126", "blocked"), ("kill -9 $$", "failed"),
  ])
  func `the exit status decides`(text: String, outcome: String) async throws {
    try await FlowHarness.with { harness in
      let handler = CommandHandler(command: try script(text + "\n", harness), timeout: .seconds(30))
      let decision = try #require(await decide(handler, on: [harness.judged()])["a.txt"])
      #expect("\(decision.outcome)".hasPrefix(outcome))
      if text.contains("paid") { #expect(decision.outcome == .accepted(HandlerAnswer(reason: "paid"))) }
    }
  }

  @Test func `a command that cannot be started blocks, and one that takes too long has failed`() async throws {
    try await FlowHarness.with { harness in
      let missing = CommandHandler(command: [harness.path("none").description], timeout: .seconds(30))
      guard case .blocked? = await decide(missing, on: [try await harness.judged()])["a.txt"]?.outcome else {
        Issue.record("it was not blocked")
        return
      }
      let slow = CommandHandler(command: try script("exec sleep 3600\n", harness), timeout: .milliseconds(50))
      guard case .failed? = await decide(slow, on: [try await harness.judged()])["a.txt"]?.outcome else {
        Issue.record("it has not failed")
        return
      }
    }
  }

  // MARK: - Mode=stream

  /// Answers each line by the location in it, and notes that it was started.
  private static let stream = """
    echo started >> "$0.log"
    while read -r line; do
      id=$(printf '%s' "$line" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
      case "$line" in
        *dies.txt*) exit 3 ;;
        *garbage.txt*) echo nonsense ;;
        *refused.txt*) echo "{\\"id\\":\\"$id\\",\\"verdict\\":\\"rejected\\",\\"reason\\":\\"no\\"}" ;;
        *later.txt*) echo "{\\"id\\":\\"$id\\",\\"verdict\\":\\"not-yet\\",\\"retryAfter\\":5}" ;;
        *) echo "{\\"id\\":\\"$id\\",\\"verdict\\":\\"accepted\\"}" ;;
      esac
    done

    """

  private func withStream(_ body: (StreamHandler, FlowHarness) async throws -> Void) async throws {
    try await FlowHarness.with { harness in
      let handler = StreamHandler(command: try script(Self.stream, harness), zone: "z", timeout: .seconds(30))
      try await body(handler, harness)
      await handler.close()
    }
  }

  @Test func `one process answers many calls, and the payloads of a call in any order`() async throws {
    try await withStream { handler, harness in
      var payloads: [ClaimedPayload] = []
      for name in ["a.txt", "refused.txt", "later.txt"] { payloads.append(try await harness.judged(name)) }
      for _ in 1...2 {
        let decisions = await decide(handler, on: payloads)
        #expect(decisions["a.txt"]?.outcome == .accepted(HandlerAnswer()))
        #expect(decisions["refused.txt"]?.outcome == .rejected("no"))
        #expect(decisions["later.txt"]?.outcome == .notYet(nil) && decisions["later.txt"]?.retryAfter == .seconds(5))
      }
      #expect(harness.path("handler.sh.log").lines() == ["started"])
    }
  }

  @Test(arguments: ["dies.txt", "garbage.txt"])
  func `what is unanswered when a process ends or talks nonsense has lost an attempt`(name: String) async throws {
    try await withStream { handler, harness in
      let payloads = [try await harness.judged("a.txt"), try await harness.judged(name)]
      let decisions = await decide(handler, on: payloads)
      #expect(decisions["a.txt"]?.outcome == .accepted(HandlerAnswer()))
      guard case .failed(let message)? = decisions[name]?.outcome else {
        Issue.record("it has not failed")
        return
      }
      #expect(message.hasPrefix("handler failed: "))
      // The next call has another process.
      #expect(await decide(handler, on: [payloads[0]])["a.txt"]?.outcome == .accepted(HandlerAnswer()))
      #expect(harness.path("handler.sh.log").lines() == ["started", "started"])
    }
  }

  @Test func `calls at the same time have a process each`() async throws {
    try await withStream { handler, harness in
      let (first, second) = (try await harness.judged("a.txt"), try await harness.judged("b.txt"))
      async let one = decide(handler, on: [first])
      async let other = decide(handler, on: [second])
      let decisions = await [one, other]
      #expect(decisions.allSatisfy { $0.values.allSatisfy { $0.outcome == .accepted(HandlerAnswer()) } })
      #expect((1...2).contains(harness.path("handler.sh.log").lines().count))
    }
  }
}
