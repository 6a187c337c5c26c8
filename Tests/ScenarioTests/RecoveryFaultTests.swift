import DropEngine
import Support
import Testing

/// Tests of interruptions while something else is wrong too: a missing directory, a locked ledger, a removed zone.
@Suite struct RecoveryFaultTests {
  @Test(arguments: ["kill", "stop"])
  func `a copy that is answered with not yet is delivered once, by any daemon`(end: String) async throws {
    try await Rig.run("F70-copy-not-yet", environment: ["END": end]) { outcome in
      try await expectCopied(outcome, exits: end == "kill" ? [137, 0] : [0, 0])
      #expect(outcome.runs.map(\.attempt) == [1, 2], "\(outcome.story)")
    }
  }

  @Test(arguments: ["after", "during"])
  func `a copy that is answered with not yet grows with its original`(end: String) async throws {
    try await Rig.run("F70-copy-not-yet", environment: ["END": end]) { outcome in
      try await expectCopied(outcome, "say n 3000; say m 3000")
    }
  }

  @Test func `a copy that is answered with not yet stays if its original is gone`() async throws {
    try await Rig.run("F70-copy-not-yet", environment: ["END": "gone"]) { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectLeft()
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"), arguments: ["mount", "copy"])
  func `a payload in a hold without a ledger row is found, wherever the hold is`(place: String) async throws {
    try await Rig.run("F71-hold-of-a-mount", environment: ["WHERE": place], mounts: true) { outcome in
      #expect(outcome.text("left") == "", "\(outcome.text("left"))")
      try await outcome.expectContents(["say n 3000"], in: "R")
      if place == "mount" { outcome.expectInvariants(payloads: 1, exits: [137, 0]) }
    }
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"))
  func `a copy keeps its source while its box is not mounted`() async throws {
    try await Rig.run("F72-copied-and-box-away", mounts: true) { outcome in
      #expect(outcome.text("between") == "1", "in the hold\n\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: [137, 0])
    }
  }

  @Test func `payloads in hand count in their session after a crash as they did before it`() async throws {
    try await Rig.run("F99-items-in-hand") { outcome in
      #expect(outcome.receipts(.delivered).count == 2, "\(outcome.story)")
      #expect(outcome.receipts(.rejected).map(\.reason?.code) == [.items, .items], "\(outcome.story)")
      outcome.expectInvariants(payloads: 4, exits: [137, 0])
    }
  }

  @Test func `a copy keeps its temporary file while its row cannot be written`() async throws {
    try await Rig.run("F73-copied-and-ledger-locked") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"], in: "X")
      outcome.expectInvariants(payloads: 1, exits: [137, 1, 0], box: "X")
    }
  }

  @Test func `a payload of a removed zone goes back to its name`() async throws {
    try await Rig.run("F74-zone-removed-in-hand") { outcome in
      #expect(outcome.text("between").contains("zone:\nn.txt"), "\(outcome.text("between"))\n\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: [137, 0, 0])
    }
  }

  @Test func `after two reloads at once, the zone works`() async throws {
    try await Rig.run("F75-two-reloads-at-once") { outcome in
      try await outcome.expectFiles(["a.txt": "say a 2000000", "b.txt": "say b 3000"])
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"), arguments: ["asked", "placed"])
  func `while a copy cannot be looked up, its original is not taken again`(when: String) async throws {
    try await Rig.run("F76-copy-parked", environment: ["WHEN": when], mounts: true) { outcome in
      try await expectCopied(outcome, exits: [137, 0])
    }
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"))
  func `nothing is put back into a zone that is not mounted`() async throws {
    try await Rig.run("F77-undo-into-no-mount", mounts: true) { outcome in
      #expect(outcome.text("exit") == "1" && outcome.text("undo").contains("is none now"), "\(outcome.text("undo"))")
      #expect(outcome.text("boxed") == "n.txt" && outcome.text("between") == "", "\(outcome.story)")
      outcome.expectLeft(["n.txt"])
      #expect(outcome.receipts.map(\.outcome) == [.undone], "\(outcome.text("undo.again"))\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"), arguments: ["zone", "box"])
  func `a reload confirms that a directory is no longer a mount point`(place: String) async throws {
    try await Rig.run("F78-reload-without-mount", environment: ["PLACE": place], mounts: true) { outcome in
      #expect(outcome.text("between") == "n.txt", "left alone until then\n\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a reject is taken once, however many requests there are`() async throws {
    try await Rig.run("F79-retried-twice-at-once") { outcome in
      let said = outcome.text("one") + outcome.text("two")
      #expect(said.contains("it is being tried again already"), "\(said)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: [0, 137, 0])
    }
  }

  @Test func `an original that is put back does not cause another file with its name to be taken again`() async throws {
    try await Rig.run("F80-original-meets-another") { outcome in
      try await outcome.expectContents(["say n 3000", "say m 3000"])
      try await outcome.expectContents(["say n 3000", "say m 3000"], in: "Z")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(arguments: ["asked", "claiming", "placed"])
  func `the longest possible location is recovered`(when: String) async throws {
    try await Rig.run("F81-deep-and-died", environment: ["WHEN": when]) { outcome in
      #expect(outcome.receipts.map(\.outcome) == [.delivered], "\(outcome.story)")
      outcome.expectInvariants(payloads: 1, exits: [137, 0])
    }
  }

  @Test(arguments: ["kill", "later"])
  func `a payload that is put back keeps its row until the rename is on disk`(end: String) async throws {
    try await Rig.run("F82-return-not-synced", environment: ["END": end]) { outcome in
      #expect(outcome.text("rows") == "returning", "\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: end == "kill" ? [137, 0] : [0])
    }
  }

  private func expectCopied(_ outcome: Outcome, _ payload: Payload = "say n 3000", exits: [Int32]? = nil) async throws {
    try await outcome.expectFiles(["n.txt": payload])
    try await outcome.expectFiles(["n.txt": payload], in: "Z")
    outcome.expectInvariants(payloads: 1, exits: exits)
  }
}
