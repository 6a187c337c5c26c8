import DropEngine
import Support
import Testing

/// Tests of failing system calls, followed by a crash at the wrong moment: each payload must be delivered once, complete
/// and with one receipt.
@Suite struct FaultTests {
  @Test func `a complete copy that could not get its name survives the daemon`() async throws {
    try await Rig.run("F01-copy-not-named") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"], in: "X")
      outcome.expectInvariants(payloads: 1, exits: [137, 0], box: "X")
    }
  }

  @Test func `a copy whose recovery crashes is copied again`() async throws {
    try await Rig.run("F02-died-in-recovery") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"], in: "X")
      outcome.expectInvariants(payloads: 1, exits: [137, 137, 0], box: "X")
    }
  }

  @Test func `a source that cannot be removed is retried, and not recovered as a second payload`() async throws {
    try await Rig.run("F03-source-not-removed") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"], in: "X")
      outcome.expectInvariants(payloads: 1, exits: [137, 0], box: "X")
    }
  }

  @Test func `a payload that cannot be inspected after the claim stays in hand`() async throws {
    try await Rig.run("F04-not-seen-after-claim") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a reject that could not get its name leaves one reason file`() async throws {
    try await Rig.run("F05-reject-not-named") { outcome in
      outcome.expectRefused(["n.txt": .type])
      #expect(
        outcome.files("R").map(\.path).sorted() == ["n.txt", "n.txt.reason.json"],
        "under its own name\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a payload that cannot be opened after the handler does not count as removed`() async throws {
    try await Rig.run("F06-not-seen-after-handler") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"])
      outcome.expectRuns(1)
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a payload that could not be put back is judged again by the next daemon`() async throws {
    try await Rig.run("F07-name-taken-and-died") { outcome in
      try await outcome.expectContents(["say first 3000", "say second 5000"])
      try await outcome.expectFiles([:], in: "R")
      outcome.expectInvariants(payloads: 2, exits: [137, 0])
    }
  }

  @Test func `the original of a copy in hand is not taken again by the next daemon`() async throws {
    try await Rig.run("F08-copy-recovered") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: [137, 0])
    }
  }

  @Test func `the original of a copy in hand is not taken again by a scan`() async throws {
    try await Rig.run("F28-copy-scanned-in-hand") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectRuns(1)
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `the original of a copy is taken again for new content, but not for new permissions`() async throws {
    try await Rig.run("F32-copied-and-changed-rights") { outcome in
      #expect(outcome.text("lines") == "2\n2", "not for new rights\n\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000", "m.txt": "say m 3000", "m.1.txt": "say other 3000"])
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `the original of a copy in hand is taken again for new content with the same size and time`() async throws
  {
    try await Rig.run("F33-copy-rewritten-in-hand") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000", "n.1.txt": "say other 3000"])
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(arguments: ["written", "replaced"])
  func `a file whose second copy finishes before its first is not taken a third time`(how: String) async throws {
    try await Rig.run("F34-copied-twice-at-once", environment: ["HOW": how]) { outcome in
      try await outcome.expectContents(["say n 3000", "say other 4000"])
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(arguments: ["B", "X"]) func `many copies at once are each made once, and the originals stay`(box: String)
    async throws
  {
    try await Rig.run("F40-copies-together", variant: "box=\(box)") { outcome in
      let wanted = Dictionary(
        uniqueKeysWithValues: (1...80).map { (RawPath("t/n\($0).txt"), Payload("say n\($0) 3000")) })
      try await outcome.expectFiles(wanted, in: box)
      try await outcome.expectFiles(wanted, in: "Z")
      outcome.expectInvariants(payloads: 80, exits: [137, 0], box: box)
    }
  }

  @Test(arguments: ["move", "copy"]) func `a file that replaces one in flight is a separate drop`(operation: String)
    async throws
  {
    try await Rig.run(
      "F47-replaced-in-flight", variant: "Delivery.Operation=\(operation)", environment: ["LINES_EACH": "2000"]
    ) { outcome in
      let delivered = outcome.receipts(.delivered)
      #expect(Set(outcome.receipts.map(\.id)).count == outcome.receipts.count, "\(outcome.story)")
      #expect(outcome.receipts.allSatisfy { $0.outcome == .delivered }, "\(outcome.story)")
      #expect(outcome.text("newest") == "120" && outcome.text("twice") == "", "\(outcome.story)")
      #expect(outcome.files("B").count == delivered.count, "\(outcome.story)")
      outcome.expectInvariants(payloads: delivered.count)
    }
  }

  @Test(arguments: ["B", "X"]) func `if a later file replaces an earlier one, the newest stays`(box: String)
    async throws
  {
    try await Rig.run(
      "F47-replaced-in-flight", variant: "Delivery.Collision=replace box=\(box)", environment: ["PAUSE": "0.15"]
    ) { outcome in
      #expect(outcome.files(box).count == 120, "\(outcome.story)")
      #expect(outcome.text("newest") == "120", "\(outcome.story)")
    }
  }

  @Test func `neighbouring directories that become empty are removed, and then their parent`() async throws {
    try await Rig.run("F48-prune-siblings") { outcome in
      try await outcome.expectFiles(["t/a/n.txt": "say a 3000", "t/b/n.txt": "say b 3000", "t/c/n.txt": "say c 3000"])
      #expect(outcome.entries("Z").isEmpty, "\(outcome.story)")
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test(arguments: ["move", "copy"]) func `a reload while a burst is claimed takes nothing twice`(operation: String)
    async throws
  {
    try await Rig.run("F46-reload-in-a-burst", variant: "Delivery.Operation=\(operation)") { outcome in
      let payloads = (1...8).flatMap { round in (1...100).map { "n\(round)-\($0)" } }
      let wanted = Dictionary(uniqueKeysWithValues: payloads.map { (RawPath("\($0).txt"), Payload("say \($0) 300")) })
      try await outcome.expectFiles(wanted)
      outcome.expectInvariants(payloads: 800)
    }
  }

  @Test(
    .enabled(if: Machine.canMake("ext4"), "needs root and ext4"),
    arguments: ["F41-half-copy-and-power-cut", "F42-half-copies-recovered-and-power-cut"])
  func `an abandoned copy does not come back as a payload after a power cut`(recipe: String) async throws {
    try await Rig.run(recipe, mounts: true) { outcome in
      #expect(outcome.files("R").isEmpty, "\(outcome.story)")
      #expect(outcome.files("B").count == 20, "\(outcome.story)")
      #expect(outcome.files("Z").count == 20, "\(outcome.story)")
      #expect(outcome.receipts.count == 20 && outcome.receipts.allSatisfy { $0.outcome == .delivered })
    }
  }

  @Test func `an original that is written to while it is being copied is taken again soon`() async throws {
    try await Rig.run("F43-copy-rewritten-in-claim") { outcome in
      #expect(outcome.files("B").map(\.path).sorted() == ["n.1.txt", "n.txt"], "\(outcome.story)")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `syncs of many copies do not wait for a big copy at the same time`() async throws {
    try await Rig.run("F45-copies-beside-a-big-one") { outcome in
      #expect(outcome.text("synced") == "20", "one by one\n\(outcome.story)")
      outcome.expectInvariants(payloads: 21)
    }
  }

  @Test func `a daemon whose ledger is damaged exits even if it has nothing in hand, and the next one continues`()
    async throws
  {
    try await Rig.run("F44-ledger-damaged-while-idle") { outcome in
      try await outcome.expectFiles(["a.txt": "say a 3000", "b.txt": "say b 3000"])
      #expect(outcome.exits.first != 0 && outcome.exits.last == 0, "\(outcome.story)")
      #expect(outcome.text("notes").isEmpty, "\(outcome.story)")
    }
  }

  @Test func `recovery does not assume that a payload it cannot see is gone`() async throws {
    try await Rig.run("F09-recovery-cannot-see") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"], in: "X")
      #expect(outcome.daemonLog.contains { $0.contains("tried again in") }, "it says so\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1, exits: [137, 0], box: "X")
    }
  }

  @Test func `there is no receipt before the box is synced`() async throws {
    try await Rig.run("F10-box-not-synced") { outcome in
      try await outcome.expectFiles(["n.bin": "say n 30000"])
      #expect(outcome.text("early") == "", "no receipt while it waits\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a directory renamed while the daemon is down leaves nothing waiting`() async throws {
    try await Rig.run("F11-directory-moved-while-down") { outcome in
      try await outcome.expectFiles(["e/n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: [137, 0], withdrawn: 1)
    }
  }

  @Test func `a directory that cannot be listed is retried soon, and this is reported once`() async throws {
    try await Rig.run("F35-not-listed") { outcome in
      for file in ["meanwhile", "explained", "explained.directory"] {
        #expect(outcome.text(file).contains("cannot be listed: Input/output error"), "\(outcome.text(file))")
      }
      #expect(outcome.daemonLog.count { $0.contains("cannot be listed") } == 1, "\(outcome.story)")
      try outcome.expectFinished("d/n.txt", within: 10, of: "dropped")
      #expect(outcome.zone?.reason == nil, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: [1, 2])
  func `a directory that cannot be opened at first is entered soon afterwards`(step: Int) async throws {
    try await Rig.run("F37-not-opened", environment: ["STEP": "\(step)"]) { outcome in
      try outcome.expectFinished("d/n.txt", within: 10, of: "dropped")
      #expect(outcome.zone?.reason == nil && outcome.zone?.staged.isEmpty == true, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a directory that disappears while it is listed is not waited for`() async throws {
    try await Rig.run("F36-gone-while-listed") { outcome in
      try await outcome.expectFiles(["m.txt": "say m 3000"])
      #expect(!outcome.daemonLog.contains { $0.contains("cannot be listed") }, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a lock that is released late does not keep the daemon out`() async throws {
    try await Rig.run("F12-lock-let-go-late") { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }
}
