import DropEngine
import Support
import Testing

/// Tests of directories and ledgers that are unavailable for a while: this is reported, and nothing is deleted.
@Suite struct PlaceFaultTests {
  @Test(.enabled(if: Machine.isRoot, "needs root, to mount"))
  func `a full rejects directory delays only rejects`() async throws {
    try await Rig.run("F13-rejects-full", mounts: true) { outcome in
      #expect(outcome.text("early") == "yes.pdf", "the box had room\n\(outcome.story)")
      try await outcome.expectFiles(["yes.pdf": "pdf yes 3000"])
      outcome.expectRefused(["no.txt": .type])
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `payloads wait for a box that was moved away, and it is not created again`() async throws {
    try await Rig.run("F14-box-away") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a zone stays blocked while its box is missing, also during each retry`() async throws {
    try await Rig.run("F27-box-away-in-hand") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      let states = outcome.log.changes.map(\.zone.state)
      let first = try #require(states.firstIndex(of: .blocked), "\(outcome.story)")
      let last = try #require(states.lastIndex(of: .blocked), "\(outcome.story)")
      #expect(states[first...last].allSatisfy { $0 == .blocked }, "\(states)\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `if another process has the ledger, the daemon says so and does not start`() async throws {
    try await Rig.run("F15-ledger-locked", limit: .seconds(120)) { outcome in
      #expect(outcome.text("said").contains("ledger.db' is locked by another process"), "\(outcome.text("said"))")
      try await outcome.expectFiles(["n.txt": "say n 3000", "m.txt": "say m 3000"])
      outcome.expectInvariants(payloads: 2, exits: [0, 1, 0])
    }
  }

  @Test func `a ledger of a later version stays unchanged`() async throws {
    try await Rig.run("F16-ledger-newer") { outcome in
      #expect(outcome.text("said").contains("has version 99"), "\(outcome.text("said"))")
      #expect(outcome.text("before") == outcome.text("after"), "not a byte is changed")
      #expect(!outcome.text("files").contains("damaged"), "nor renamed: \(outcome.text("files"))")
      try await outcome.expectFiles(["n.txt": "say n 3000", "m.txt": "say m 3000"])
      outcome.expectInvariants(payloads: 2, exits: [0, 1, 0])
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to mount"))
  func `a ledger without room blocks the zone, and the zone resumes automatically`() async throws {
    try await Rig.run("F17-ledger-full", mounts: true) { outcome in
      var wanted: [RawPath: Payload] = ["a.txt": "say a 3000"]
      for number in 1...40 { wanted[RawPath("\(number).txt")] = "say \(number) 1000" }
      try await outcome.expectFiles(wanted)
      outcome.expectInvariants(payloads: 41)
    }
  }

  @Test func `a zone that comes back is noticed, however many requests arrive in the meantime`() async throws {
    try await Rig.run("F26-zone-away-while-others-ask") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `nothing is withdrawn from a zone that cannot be opened because there are no descriptors`() async throws {
    try await Rig.run("F38-no-descriptors") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      #expect(outcome.daemonLog.contains { $0.contains("Too many open files") }, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a file stays in its directory if that leaves the zone while the file is being claimed`() async throws {
    try await Rig.run("F83-directory-moved-out-in-claim") { outcome in
      #expect(outcome.text("moved") == "n.txt", "\(outcome.story)")
      try await outcome.expectFiles(["m.txt": "say m 3000"])
      #expect(outcome.receipts(.delivered).count == 1, "\(outcome.story)")
    }
  }

  @Test(arguments: [("link", "reload"), ("link", "again"), ("directory", "reload"), ("directory", "again")])
  func `a zone whose path now leads elsewhere takes nothing from there until a reload`(kind: String, then: String)
    async throws
  {
    try await Rig.run("F84-zone-leads-elsewhere", environment: ["KIND": kind, "THEN": then]) { outcome in
      #expect(outcome.text("others") == "other.txt", "\(outcome.story)")
      try await outcome.expectFiles(
        ["a.txt": "say a 3000"].merging(
          then == "reload" ? ["other.txt": "say other 3000"] : ["b.txt": "say b 3000"]
        ) { first, _ in first })
      outcome.expectInvariants(payloads: 2)
    }
  }
}
