import DropEngine
import Support
import Testing

/// Tests that only a normal exit of the handler is a verdict.
@Suite struct HandlerTests {
  @Test func `S109 the output of a handler that prints too much is read and truncated`() async throws {
    try await Rig.run("S109") { outcome in
      try await outcome.expectFiles(["e1.pdf": "pdf e1 3000", "e2.pdf": "pdf e2 3000"])
      try outcome.expectFinished("e2.pdf", within: 30, of: "dropped")
      let peak = outcome.text("memory").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
      #expect(peak < 150_000, "the daemon grew to \(peak) kB")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `S110 processes that a handler leaves behind do not delay anything`() async throws {
    try await Rig.run("S110") { outcome in
      try await outcome.expectFiles(["bg.pdf": "pdf bg 3000", "nx.pdf": "pdf nx 3000"])
      try outcome.expectFinished("bg.pdf", within: 9, of: "dropped")
      try outcome.expectFinished("nx.pdf", within: 9, of: "dropped")
      #expect(outcome.text("zombies") == "0", "zombies: \(outcome.text("zombies"))")
      outcome.expectRuns(2)
      outcome.expectInvariants(payloads: 2)
    }
  }

  // 127 blocks the zone, so the payload waits and is taken by the working handler.
  @Test func `S112 a handler that is killed gives no verdict, and a missing handler blocks the zone`() async throws {
    try await Rig.run("S112") { outcome in
      try await outcome.expectFiles(["c3.pdf": "pdf c3 3000"])
      outcome.expectRefused(["c1.pdf": .handlerFailed, "c2.pdf": .handlerFailed])
      #expect(outcome.receipt(of: "c1.pdf")?.reason?.message.contains("11") == true, "signal 11\n\(outcome.story)")
      #expect(outcome.receipt(of: "c2.pdf")?.reason?.message.contains("9") == true, "signal 9\n\(outcome.story)")
      #expect(outcome.receipt(of: "c1.pdf")?.attempts == 3, "\(outcome.story)")
      #expect(outcome.log.states.contains(.blocked), "\(outcome.story)")
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `S113 a long queue behind a slow handler does not keep the zone lit`() async throws {
    try await Rig.run("S113") { outcome in
      var wanted: [RawPath: Payload] = [:]
      for i in 1...20 { wanted[RawPath("q\(i).pdf")] = "pdf q\(i) 3000" }
      try await outcome.expectFiles(wanted)
      let dropped = try #require(outcome.marks["dropped"])
      let dark = try #require(outcome.log.periods.last?.end, "\(outcome.story)")
      #expect(dark - dropped < 5000, "dark \(dark - dropped) ms after the last drop\n\(outcome.story)")
      let queue = outcome.log.changes.map(\.zone.inHand).max() ?? 0
      #expect(queue >= 15, "status shows a queue of \(queue)")
      #expect(
        outcome.receipts.map(\.location) == (1...20).map { "q\($0).pdf" }, "in the order of arrival\n\(outcome.story)")
      outcome.expectInvariants(payloads: 20)
    }
  }

  @Test func `S115 a hundred payloads cause a hundred runs`() async throws {
    try await Rig.run("S115") { outcome in
      outcome.expectRuns(100)
      #expect(Set(outcome.runs.map(\.id)).count == 100, "\(outcome.story)")
      #expect(Set(outcome.runs.map(\.name)).count == 100, "\(outcome.story)")
      #expect(outcome.runs.map(\.id).sorted() == outcome.receipts.map(\.id).sorted(), "\(outcome.story)")
      outcome.expectInvariants(payloads: 100)
    }
  }

  @Test(arguments: ["no", "yes"])
  func `S116 a handler may take its payload, but may change it only if the zone allows this`(changes: String)
    async throws
  {
    try await Rig.run("S116", variant: "Handler.Changes=\(changes) Handler.Attempts=3") { outcome in
      #expect(outcome.receipt(of: "mv.pdf")?.outcome == .taken, "\(outcome.story)")
      #expect(outcome.receipt(of: "rm.pdf")?.outcome == .taken, "\(outcome.story)")
      #expect(outcome.files("L").contains { $0.path == "taken" && $0.bytes > 3000 }, "\(outcome.story)")
      if changes == "yes" {
        try await outcome.expectFiles(["ed.pdf": "pdf ed 3000; echo tail"])
        outcome.expectRefused([:])
      } else {
        try await outcome.expectFiles([:])
        outcome.expectRefused(["ed.pdf": .changed])
      }
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `a payload that waits in the hold for another attempt is explained by its name in the zone`() async throws
  {
    try await Rig.run("F28-explained-in-hand") { outcome in
      let said = outcome.text("explained")
      #expect(said.contains(#""state":"in hand""#) && said.contains("signal 9"), "\(said)\n\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }
}
