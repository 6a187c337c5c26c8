import DropEngine
import Support
import Testing

/// Tests of actions that decide, in a separate process.
@Suite(.timeLimit(.minutes(2))) struct ActionTests {
  @Test func `the inbox from the README takes invoices one by one`() async throws {
    try await TestDaemonRig.with("inbox") { rig in
      try await rig.put("a.json", "{\"number\":\"7\"}")
      #expect(try await rig.control.wait())
      try await rig.put("b.json", "{\"number\":\"7\"}")
      try await rig.put("c.json", "{\"title\":\"7\"}")
      try await rig.put("d.txt", "hello")
      #expect(try await rig.control.wait())
      let outcomes = try await rig.outcomes()
      #expect(outcomes["a.json"] == "delivered")
      #expect(outcomes["b.json"] == "rejected: already paid")
      #expect(outcomes["c.json"] == "rejected: Invoice: CodableRepresentation: 'number' is missing")
      #expect(
        outcomes["d.txt"] == "rejected: its content is text/plain; this zone takes application/json")
    }
  }

  @Test func `verdicts are carried out`() async throws {
    try await TestDaemonRig.with("verdicts") { rig in
      for name in ["renamed.txt", "copied.txt", "refused.txt", "later.txt", "thrown.txt", "failing.txt", "plain.txt"] {
        try await rig.put(name)
      }
      #expect(try await rig.until { try await rig.outcomes().count == 7 })
      let outcomes = try await rig.outcomes()
      #expect(outcomes["renamed.txt"] == "delivered" && rig.box.appending("below/other.txt").exists)
      #expect(outcomes["refused.txt"] == "rejected: not this one")
      #expect(outcomes["thrown.txt"] == "rejected: thrown away")
      #expect(outcomes["failing.txt"] == "failed: handler failed: out of paper")
      #expect(outcomes["later.txt"] == "delivered" && rig.lines.contains("asked later.txt attempt 2"))
      #expect(rig.lines.filter { $0.hasPrefix("asked failing.txt") }.count == 2)
      #expect(outcomes["plain.txt"] == "delivered")
      // The copy is in the box, the original has its name again, and it is not taken a second time.
      #expect(rig.box.appending("copied.txt").exists && rig.drop.appending("copied.txt").exists)
      #expect(try await rig.control.wait())
      #expect(try await rig.zone.itemsCount == 0)
      let receipts = try await rig.control.history().filter { $0.location == "copied.txt" }
      #expect(receipts.map(\.operation) == ["copy"])
      try await rig.shell("echo more >> drop/copied.txt")
      #expect(try await rig.until { try await rig.control.history().filter { $0.location == "copied.txt" }.count == 2 })
    }
  }

  @Test func `payloads that are released together are handled together`() async throws {
    try await TestDaemonRig.with("together") { rig in
      try await rig.shell("mkdir .new; for n in a b c d e; do printf $n > .new/$n; done; mv .new drop/new")
      #expect(try await rig.control.wait())
      let calls = rig.lines.filter { $0.hasPrefix("together ") }
      let texts = calls.flatMap { $0.split(separator: " ")[1].split(separator: ",") }
      #expect(texts.sorted() == ["a", "b", "c", "d", "e"])
      #expect(calls.count < 5)
      #expect(try await rig.outcomes().values.allSatisfy { $0 == "delivered" })
      try await rig.put("no", "no")
      #expect(try await rig.control.wait())
      #expect(try await rig.outcomes()["no"] == "rejected: the zone's action refused it")
    }
  }

  @Test func `the first destination that can read a payload takes it`() async throws {
    try await TestDaemonRig.with("typed") { rig in
      try await rig.put("a.card", "{\"title\":\"A\"}")
      try await rig.put("b.json", "{\"text\":\"B\"}")
      try await rig.put("c.card", "{\"text\":\"C\"}")
      try await rig.put("d.json", "{\"other\":1}")
      try await rig.put("e.txt", "hello")
      #expect(try await rig.control.wait())
      let outcomes = try await rig.outcomes()
      #expect(outcomes["a.card"] == "delivered" && rig.box.appending("a.card").exists)
      #expect(outcomes["b.json"] == "delivered" && rig.box.appending("notes/b.json").exists)
      // JSON that is not a card is still JSON.
      #expect(outcomes["c.card"] == "delivered" && rig.box.appending("notes/c.card").exists)
      #expect(outcomes["d.json"] == "rejected: Note: CodableRepresentation: 'text' is missing")
      #expect(
        outcomes["e.txt"] == "rejected: its content is text/plain; this zone takes com.example.card, application/json")
    }
  }

  @Test func `a payload that crashes the process runs out of attempts, and does not affect others`() async throws {
    try await Scratch.with { scratch in
      for zone in ["drop", "other"] as [RawPath] { try scratch.path.appending(zone).makeDirectory() }
      let rig = TestDaemonRig(scratch: scratch, mode: "trap")
      let first = try await rig.start()
      let innocent = (0..<20).flatMap { ["a\($0)", "z\($0)"] } + ["slow"]
      try await rig.shell("mkdir .new; for n in \(innocent.joined(separator: " ")) trap; do echo > .new/$n; done")
      try await rig.shell("mv .new/slow other; mv .new/* drop")
      guard case .signal = await first.exit(within: .seconds(30)) else {
        Issue.record("the process did not die: \(rig.said)")
        return
      }
      var deaths = 1
      while deaths < 10 {
        let next = try rig.launch()
        let isDecided = try await rig.until {
          // It may not have a socket yet, or no longer have one.
          guard next.isRunning else { return true }
          return (try? await rig.outcomes().count == innocent.count + 1) == true
        }
        #expect(isDecided)
        guard next.isRunning else {
          deaths += 1
          continue
        }
        let outcomes = try await rig.outcomes()
        for name in innocent { #expect(outcomes[name] == "delivered", "\(name)") }
        #expect(outcomes["trap"]?.hasPrefix("failed: the daemon died") == true)
        await rig.stop(next)
        break
      }
      #expect(deaths <= 3)
    }
  }

  @Test func `an action that does not return occupies its worker, and blocks the zone until it returns`() async throws {
    try await TestDaemonRig.with("stuck") { rig in
      try await rig.put("stuck")
      #expect(
        try await rig.until {
          let zone = try await rig.zone
          return zone.state == .blocked && zone.reason?.contains("has not returned after 500ms") == true
        })
      try await rig.put("next")
      #expect(try await rig.until { try await rig.outcomes().count == 2 })
      #expect(
        try await rig.outcomes() == [
          "stuck": "failed: handler failed: it timed out after 500ms", "next": "delivered",
        ])
      #expect(try await rig.zone.state == .idle)
    }
  }
}
