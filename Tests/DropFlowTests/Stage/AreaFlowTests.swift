import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// Staging and flow together, from the file that appears to its receipt.
@Suite(.timeLimit(.minutes(5))) struct AreaFlowTests {
  private func with(
    handler: (any DropHandler)? = nil, configuration: (any LiveConfiguration)? = nil,
    _ settings: @escaping @Sendable (inout ZoneSettings) -> Void = { _ in },
    originals: @escaping @Sendable (RawPath) throws -> [CopiedOriginal] = { _ in [] },
    _ body: @Sendable (AreaRig) async throws -> Void
  ) async throws {
    let options = AreaRig.Options(
      isPaused: false, handler: handler, configuration: configuration,
      settings: {
        $0.staging.quiet = .milliseconds(1)
        settings(&$0)
      }, originals: originals)
    try await AreaRig.with(options, body)
  }

  @Test func `a file that appears lights its zone, and is in the box when it is dark again`() async throws {
    try await with { rig in
      let states = try await rig.area.changes(of: ["z"])
      try rig.path("Z/a.txt").write("hello")
      var lit: [Bool] = []
      for await status in states {
        if lit.last != status.isTargeted { lit.append(status.isTargeted) }
        if status.accepted == 1, !status.isTargeted, status.inHand == 0 { break }
      }
      #expect(lit == [false, true, false])
      #expect(try rig.last?.outcome == .delivered && rig.last?.evidence == .lease)
      #expect(rig.path("B/a.txt").lines() == ["hello"])
    }
  }

  @Test func `files that are there at the start are found, and counted`() async throws {
    try await with(originals: { zone in
      for number in 1...20 { try zone.appending(RawPath("\(number).txt")).write("\(number)") }
      return []
    }) { rig in
      let status = try await rig.status { $0.accepted == 20 && $0.inHand == 0 }
      #expect(status?.itemsCount == 0 && status?.last != nil)
      #expect(try await rig.area.wait(for: ["z"], timeout: .seconds(10)))
    }
  }

  @Test func `the original of a copy is not taken again until it changes`() async throws {
    try await with({ $0.delivery.operation = .copy }) { rig in
      try rig.path("Z/a.txt").write("hello")
      _ = try await rig.status { $0.accepted == 1 && $0.inHand == 0 }
      #expect(try await rig.area.explain(rig.path("Z/a.txt")).state == .taken)
      // Its rights say nothing of its bytes.
      try rig.path("Z/a.txt").setMode(0o600)
      #expect(try await rig.area.wait(for: ["z"], timeout: .seconds(10)))
      #expect(try rig.ledger.totals(of: "z").accepted == 1)
      try rig.path("Z/a.txt").write("other")
      _ = try await rig.status { $0.accepted == 2 && $0.inHand == 0 }
      #expect(rig.path("B/a.txt").lines() == ["hello"] && rig.path("B/a.1.txt").lines() == ["other"])
      #expect(rig.path("Z/a.txt").lines() == ["other"])
    }
  }

  @Test func `not yet leaves a file staged with what was said, and it is asked about again when it changes`()
    async throws
  {
    let handler = ScriptedHandler { payloads, answer in
      for payload in payloads {
        let outcome: HandlerOutcome = payload.drop.size < 6 ? .notYet("too short") : .accepted(HandlerAnswer())
        await answer(payload.drop.id, HandlerDecision(outcome, retryAfter: .seconds(3600)))
      }
    }
    try await with(handler: handler) { rig in
      try rig.path("Z/a.txt").write("short")
      let waiting = try await rig.status { $0.staged.first?.waiting == .notYet && $0.inHand == 0 }?.staged.first
      #expect(waiting?.detail == "too short" && rig.path("Z/a.txt").exists)
      try rig.path("Z/a.txt").write("long enough")
      let last = try await rig.status { $0.accepted == 1 }?.last
      #expect(last?.attempts == 2 && last?.id == waiting?.id.description)
    }
  }

  @Test func `an operator has what waits asked about at once, or taken as it is`() async throws {
    let handler = ScriptedHandler(.notYet("later"), retryAfter: .seconds(3600))
    try await with(handler: handler) { rig in
      try rig.path("Z/a.txt").write("hello")
      let waiting = try await rig.status { $0.staged.first?.waiting == .notYet && $0.inHand == 0 }
      let id = try #require(waiting?.staged.first).id.description
      #expect(await rig.area.again([id, "unknown"], force: false) == ["unknown"])
      await eventually { handler.calls.count == 2 }
      _ = try await rig.status { $0.staged.first?.waiting == .notYet && $0.inHand == 0 }
      #expect(await rig.area.again([id], force: true).isEmpty)
      let last = try await rig.status { $0.accepted == 1 }?.last
      #expect(last?.id == id && last?.reason == nil && handler.calls.count == 2)
    }
  }

  @Test func `a box that is gone blocks the zone, and the zone goes on when it is back`() async throws {
    try await with { rig in
      try rig.path("B").removeDirectory()
      try rig.path("Z/a.txt").write("hello")
      let blocked = try await rig.status { $0.state == .blocked }
      #expect(blocked?.reason?.hasPrefix("'\(rig.path("B"))': ") == true && blocked?.isTargeted == false)
      #expect(blocked?.staged.first?.waiting == .blocked && rig.path("Z/a.txt").exists)
      #expect(blocked?.label.hasPrefix("z: Drop here, blocked, 1 item, ") == true)
      try rig.path("B").makeDirectory()
      let idle = try await rig.status { $0.accepted == 1 && $0.state == .idle }
      #expect(idle?.reason == nil)
    }
  }

  @Test func `a zone that pauses keeps what comes, also after it is told to go on`() async throws {
    try await with { rig in
      try await rig.area.setPaused(["z"], true)
      try rig.path("Z/a.txt").write("hello")
      #expect(try await rig.staged(1).keys.sorted() == ["a.txt"])
      try await eventually { try rig.ledger.isPaused("z") }
      try await rig.area.setPaused(["z"], false)
      _ = try await rig.status { $0.accepted == 1 }
      try await eventually { try !rig.ledger.isPaused("z") }
      await #expect(throws: ControlError.self) { try await rig.area.setPaused([], true) }
      await #expect(throws: ControlError.self) { try await rig.area.setPaused(["none"], true) }
    }
  }

  @Test func `a file that is written is targeted until it is quiet`() async throws {
    try await with({ $0.staging.quiet = .seconds(3600) }) { rig in
      try rig.path("Z/a.txt").write("hello")
      let status = try await rig.status { $0.staged.count == 1 }
      #expect(status?.state == .targeted && status?.isTargeted == true && status?.payloadBytes == 5)
      #expect(status?.staged.first?.waiting == .quiet && status?.label == "z: Release to add, targeted, 1 item")
      // Somebody waits for it in vain.
      #expect(try await !rig.area.wait(for: ["z"], timeout: .milliseconds(1)))
    }
  }

  // MARK: - What would be refused

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var settings: @Sendable (inout ZoneSettings) -> Void
    var name = "a.txt"
    var reason: String
  }

  @Test(arguments: [
    Refusal(
      testDescription: "too large", settings: { $0.accept.maxSize = 3 },
      reason: "a.txt: the file has 5 B; this zone takes at most 3 B"),
    Refusal(
      testDescription: "too many", settings: { $0.accept.maxItems = 0 },
      reason: "a.txt: this is number 1 in its session; this zone takes at most 0"),
    Refusal(
      testDescription: "of another type", settings: { $0.accept.types = ["image/*"] },
      name: "a.pdf",
      reason: "a.pdf: its name says application/pdf; this zone takes image/*"),
  ])
  func `what would be refused is said while it arrives`(_ refusal: Refusal) async throws {
    try await with({
      $0.staging.quiet = .seconds(3600)
      refusal.settings(&$0)
    }) { rig in
      try rig.path("Z/" + refusal.name).write("hello")
      let status = try await rig.status { $0.staged.count == 1 && $0.reason != nil }
      #expect(status?.reason == refusal.reason && status?.operation == "forbidden")
    }
  }

  @Test func `what the configuration says is shown while a file arrives, and done at its release`() async throws {
    let configuration = ScriptedConfiguration { location in
      location.lastComponent == "a.txt"
        ? LiveVerdict(operation: .forbidden, reason: "not this one") : LiveVerdict(operation: .move, destination: "in")
    }
    try await with(configuration: configuration, { $0.staging.quiet = .seconds(1) }) { rig in
      try rig.path("Z/a.txt").write("hello")
      let status = try await rig.status { $0.operation == "forbidden" }
      #expect(status?.reason == "a.txt: not this one")
      try rig.path("Z/b.txt").write("hello")
      _ = try await rig.status { $0.accepted == 1 && $0.rejected == 1 && $0.inHand == 0 }
      #expect(rig.path("R/a.txt").exists && rig.path("B/in/b.txt").exists)
      #expect(try rig.ledger.receipts().first { $0.code == .handler }?.message == "not this one")
    }
  }

  // MARK: - Explanations

  @Test func `why a file waits, or is left alone, is explained`() async throws {
    try await with({
      $0.staging.quiet = .seconds(3600)
      $0.accept.excludeNames = ["*.log"]
      $0.accept.maxSize = 3
      $0.accept.types = ["image/*"]
    }) { rig in
      for name in ["a.pdf", "b.log", "Thumbs.db", "c.part"] { try rig.path("Z/" + name).write("hello") }
      _ = try await rig.status { $0.staged.count == 2 }
      let expected: [(name: String, state: Explanation.State, failing: [String])] = [
        ("a.pdf", .staged, ["MinSize, MaxSize", "Types"]),
        ("b.log", .leftAlone, ["Names, ExcludeNames", "MinSize, MaxSize"]),
        ("Thumbs.db", .leftAlone, ["Ignore"]), ("c.part", .staged, ["Temporary"]),
        ("none.pdf", .notThere, ["Types"]),
      ]
      for (name, state, failing) in expected {
        let explanation = try await rig.area.explain(rig.path("Z/" + name))
        #expect(explanation.zone == "z" && explanation.location == name && explanation.state == state, "\(name)")
        let failed = Set(explanation.rules.filter { $0.passes == false }.map(\.rule))
        #expect(failed.isSuperset(of: failing), "\(name): \(failed)")
      }
      await #expect(throws: ControlError.self) { try await rig.area.explain(rig.path("elsewhere")) }
    }
  }

  @Test func `a payload in the hold is explained by its row`() async throws {
    let (isAsked, answers) = (Signal(), Signal())
    let handler = ScriptedHandler { payloads, answer in
      isAsked.give()
      await answers.wait()
      for payload in payloads { await answer(payload.drop.id, HandlerDecision(.accepted(HandlerAnswer()))) }
    }
    try await with(handler: handler) { rig in
      try rig.path("Z/a.txt").write("hello")
      await isAsked.wait()
      let explanation = try await rig.area.explain(rig.path("Z/a.txt"))
      #expect(explanation.state == .inHand && explanation.evidence == .lease)
      #expect(explanation.rules.last?.detail == "attempt 1")
      answers.give()
      _ = try await rig.status { $0.accepted == 1 }
    }
  }
}
