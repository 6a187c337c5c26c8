import DropEngine
import Support
import Testing

/// Tests of faults between verdict and receipt: payloads that change, directories that fail, disks without room.
@Suite struct DeliveryFaultTests {
  struct Change: Sendable {
    var when: String
    var how: String
    var variant: String
  }

  @Test(
    arguments: [
      Change(when: "blocked", how: "longer", variant: ""), Change(when: "blocked", how: "other", variant: ""),
      Change(when: "blocked", how: "longer", variant: "Handler.OnDrop="),
      Change(when: "blocked", how: "other", variant: "Handler.OnDrop="),
      Change(when: "copied", how: "longer", variant: "box=X"), Change(when: "copied", how: "other", variant: "box=X"),
      Change(when: "copied", how: "other", variant: "box=X Handler.OnDrop="),
    ])
  func `a payload that is written to after its verdict is judged again`(change: Change) async throws {
    try await Rig.run(
      "F60-changed-after-verdict", variant: change.variant,
      environment: ["WHEN": change.when, "HOW": change.how]
    ) { outcome in
      let box = change.when == "copied" ? "X" : "B"
      let bytes = change.how == "longer" ? "say v 10000; printf more" : "printf other; say v 10000 | tail -c +6"
      try await outcome.expectFiles(["v.txt": bytes], in: box)
      if change.variant.contains("OnDrop") { outcome.expectRuns(0) } else { outcome.expectRuns(2) }
      #expect(outcome.receipts.first?.sha256 == outcome.files(box).first?.sha256, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1, box: box)
    }
  }

  @Test(arguments: ["", "1"])
  func `the original of a copy that its handler changes is taken once`(dies: String) async throws {
    try await Rig.run("F69-copy-changed-by-handler", environment: ["DIES": dies]) { outcome in
      try await outcome.expectFiles([
        "n.txt": "say n 3000; printf changed", "o.txt": "say o 3000; printf changed",
      ])
      outcome.expectInvariants(payloads: 2, exits: dies.isEmpty ? [0, 0] : [137, 0, 0])
    }
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"))
  func `a payload whose hold is unmounted waits`() async throws {
    try await Rig.run("F61-hold-unmounted", mounts: true) { outcome in
      #expect(outcome.text("early") == "", "neither taken nor withdrawn\n\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: ["B", "X"])
  func `a name that the box's file system does not allow is refused, and does not delay others`(box: String)
    async throws
  {
    try await Rig.run("F62-name-not-taken", variant: "box=\(box)") { outcome in
      try await outcome.expectFiles(["ok.txt": "say ok 3000"], in: box)
      outcome.expectRefused(["bad.txt": .boxName, "bad/n.txt": .boxName], in: box == "B" ? "R" : "RX")
      outcome.expectInvariants(payloads: 3, box: box)
    }
  }

  @Test(arguments: ["B", "X"], ["", "link"])
  func `a box without no-replace renames gets its names by link, or the payload waits`(
    box: String, refused: String
  ) async throws {
    try await Rig.run(
      "F63-no-replace-unknown", variant: "box=\(box)", environment: refused.isEmpty ? [:] : ["MORE": refused]
    ) { outcome in
      try await outcome.expectFiles(["n.txt": "say there 100", "n.1.txt": "say n 3000"], in: box)
      outcome.expectRefused(["no.txt": .handler], in: box == "B" ? "R" : "RX")
      #expect(!outcome.daemonLog.contains { $0.contains("cannot be put back") }, "\(outcome.story)")
      outcome.expectInvariants(
        payloads: 2, exits: refused.isEmpty ? [0] : [0, 0], box: box, foreign: 1)
    }
  }

  @Test(arguments: ["box=B", "box=X", "box=B Delivery.Operation=copy"])
  func `directories that cannot be synced take payloads all the same`(variant: String) async throws {
    try await Rig.run("F64-no-sync-of-directories", variant: variant) { outcome in
      let box = variant.contains("box=X") ? "X" : "B"
      try await outcome.expectFiles(["n.txt": "say n 3000"], in: box)
      outcome.expectRefused(["no.txt": .handler], in: box == "B" ? "R" : "RX")
      outcome.expectInvariants(payloads: 2, box: box)
    }
  }

  @Test(arguments: ["box=B", "box=X"], ["116", "13"])
  func `a directory that cannot be synced for a while has no receipts until it can`(variant: String, error: String)
    async throws
  {
    try await Rig.run("F65-sync-refused", variant: variant, environment: ["ERROR": error]) { outcome in
      #expect(outcome.daemonLog.contains { $0.contains("blocked, tried again") })
      try await outcome.expectFiles(["n.txt": "say n 3000"], in: variant == "box=X" ? "X" : "B")
      #expect(outcome.receipts.first?.warnings.count == (variant == "box=X" ? 1 : 0), "\(outcome.story)")
      outcome.expectInvariants(payloads: 1, box: variant == "box=X" ? "X" : "B")
    }
  }

  @Test func `a payload on another file system than the hold is reported`() async throws {
    try await Rig.run("F66-another-file-system") { outcome in
      try await outcome.expectFiles(["m.txt": "say m 3000"])
      #expect(outcome.zone?.staged.first?.detail.contains("another file system") == true, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to mount"))
  func `a payload that does not fit is not copied repeatedly, and payloads that fit continue`() async throws {
    try await Rig.run("F67-copies-without-room", mounts: true) { outcome in
      #expect(outcome.receipts(.delivered).count == 12, "\(outcome.story)")
      // Less than twice what was delivered by then, in pieces of at least 256 KiB.
      let writes = outcome.text("writes").split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
      #expect(writes < 2 * 70_000_000 / 262_144, "\(writes) writes\n\(outcome.story)")
      #expect(outcome.text("said").contains("free"), "\(outcome.text("said"))")
    }
  }

  @Test(arguments: ["sparse", "long"])
  func `holes are not hashed, and long copies do not block short ones`(what: String) async throws {
    try await Rig.run("F68-long-digest", variant: "box=X", environment: ["WHAT": what]) { outcome in
      try outcome.expectFinished("n.txt", within: 10, of: "second")
      #expect(outcome.receipts(.delivered).count == 7, "\(outcome.story)")
      #expect(outcome.exits == [0], "\(outcome.story)")
    }
  }

  @Test(arguments: ["identical", "changed"])
  func `long digests delay neither other payloads nor the stop`(what: String) async throws {
    try await Rig.run("F68-long-digest", environment: ["WHAT": what]) { outcome in
      #expect(outcome.text("early").contains("n.txt"), "\(outcome.story)")
      let stopped = outcome.text("stops").split(separator: "\t").last.flatMap { Int($0) }
      #expect((stopped ?? .max) < 10_000, "ended after \(outcome.text("stops"))\n\(outcome.story)")
      #expect(outcome.exits == [0], "\(outcome.story)")
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to change owners"))
  func `a new directory is accessible to the box's readers, whatever its group is`() async throws {
    try await Rig.run("F69-directory-of-another-group") { outcome in
      let modes = Dictionary(
        uniqueKeysWithValues: outcome.entries("B").filter { $0.kind == "d" }.map { ($0.path.description, $0.mode) })
      #expect(modes == ["t": 0o775, "u": 0o775, "mine": 0o700], "\(modes)\n\(outcome.story)")
      #expect(outcome.receipt(of: "t/n.txt")?.warnings.isEmpty == false, "\(outcome.story)")
      #expect(outcome.receipt(of: "u/n.txt")?.warnings.isEmpty == true, "\(outcome.story)")
      outcome.expectInvariants(payloads: 3, foreign: 1)
    }
  }
}
