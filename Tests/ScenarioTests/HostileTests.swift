import DropEngine
import Support
import Testing

/// Tests of senders and handlers that are malicious or careless.
@Suite struct HostileTests {
  @Test func `a file that is swapped before any call of its claim is never taken in place of the original`()
    async throws
  {
    try await Rig.run("F18-swapped-for-link") { outcome in
      let secret = try await PayloadFacts.of(["say secret 7000"]).values.first?.sha256
      #expect(!outcome.files("B").contains { $0.sha256 == secret }, "no secret in the box\n\(outcome.story)")
      #expect(
        outcome.entries("S").contains { $0.path == "secret" && $0.mode == 0o600 }, "nor touched\n\(outcome.story)")
      let away = outcome.files("A")
      #expect(away.count >= 10, "five moments or more, two ways each\n\(outcome.story)")
      // Each file is in one place: where it was moved to, or in the box. The replacement is where it was put.
      #expect(away.count + outcome.files("B").count == 24, "\(outcome.story)")
      #expect(outcome.entries("Z").count { $0.kind == "l" || $0.kind == "p" } == away.count, "\(outcome.story)")
      outcome.expectInvariants(payloads: outcome.files("B").count, withdrawn: away.count)
    }
  }

  @Test(arguments: ["0", "3"])
  func `a payload that is changed in the hold is judged again before it is delivered`(held: String) async throws {
    try await Rig.run("F19-writer-in-the-hold", environment: ["HELD": held]) { outcome in
      try await outcome.expectFiles(["v.txt": "say v 10000; say late 5000"])
      #expect(outcome.runs.count >= 2, "the first verdict is void\n\(outcome.story)")
      #expect(outcome.receipts.first?.sha256 == outcome.files("B").first?.sha256, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `names cannot control a terminal`() async throws {
    try await Rig.run("F20-awkward-names") { outcome in
      #expect(outcome.text("raw") == "0", "lines with raw controls: \(outcome.text("raw"))")
      #expect(outcome.files("B").count == 12, "\(outcome.story)")
      outcome.expectInvariants(payloads: 12)
    }
  }

  @Test func `a handler cannot choose a destination outside the box`() async throws {
    try await Rig.run("F21-handler-says-where") { outcome in
      #expect(outcome.text("outside") == "", "something got out: \(outcome.text("outside"))")
      try await outcome.expectFiles(["a/b/c": "say good 500", "link.1/in": "say link 500"])
      let refused = ["up", "deep", "root", "zero", "slash", "dots", "dot", "none", "long", "ours"]
      outcome.expectRefused(Dictionary(uniqueKeysWithValues: refused.map { ($0, .handlerFailed) }))
      outcome.expectInvariants(payloads: 12)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to run as another user"))
  func `a file that the daemon may not read stays and is reported, and is taken once the daemon may read it`()
    async throws
  {
    try await Rig.run("F22-unreadable-for-a-while") { outcome in
      #expect(outcome.text("meanwhile").contains("user 0"), "whose it is\n\(outcome.text("meanwhile"))")
      #expect(outcome.text("meanwhile").contains("\"isTargeted\":false"), "it lights nothing")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `after a reload, payloads in hand go to the directories they were claimed for`() async throws {
    try await Rig.run("F23-reload-in-hand") { outcome in
      #expect(outcome.text("reloads").contains("Colour"), "what is wrong\n\(outcome.text("reloads"))")
      try await outcome.expectFiles(["slow1": "say 1 3000"], in: "B")
      try await outcome.expectFiles(
        [
          "quick2": "say 2 3000", "slow3": "say 3 3000", "quick4": "say 4 3000", "slow5": "say 5 3000",
          "quick6": "say 6 3000",
        ], in: "X")
      outcome.expectRuns(6)
      // The box has changed, so this test counts the files instead of the invariants.
      outcome.expectInvariants(payloads: 6, box: "X", placesKnown: false)
    }
  }
}
