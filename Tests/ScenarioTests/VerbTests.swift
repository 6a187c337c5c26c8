import DropEngine
import Support
import Testing

/// Tests of requests at the wrong moment: during other work, twice, or for the wrong payload.
@Suite struct VerbTests {
  @Test(arguments: ["follow", "List", "Wait"])
  func `the daemon stops soon, whatever requests it gets`(call: String) async throws {
    try await Rig.run("F88-stopped-while-asked", environment: ["ASK": call]) { outcome in
      outcome.expectInvariants(payloads: 6)
    }
  }

  @Test(arguments: ["signal", "client"])
  func `the daemon stops soon during a reload`(way: String) async throws {
    try await Rig.run("F89-stopped-in-a-reload", environment: ["HOW": way]) { outcome in
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a reject that is retried while it is being retried is not lost`() async throws {
    try await Rig.run("F90-retried-again-and-again") { outcome in
      #expect(!outcome.text("retries").contains("No such file"), "\(outcome.text("retries"))")
      #expect(outcome.receipts.map(\.outcome) == [.rejected], "\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"], in: "R")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a refused copy is released from the rejects, and the original stays unchanged`() async throws {
    try await Rig.run("F91-copy-released") { outcome in
      #expect(outcome.text("release") == "" && outcome.text("undo") == "", "\(outcome.story)")
      #expect(outcome.text("release.again").contains("not among the rejects: delivered"), "\(outcome.story)")
      #expect(outcome.text("receipts") == "2", "\(outcome.text("receipts"))")
      #expect(!outcome.text("between").contains("n.1"), "\(outcome.text("between"))")
      // The original was released after the undo, so it is a separate drop.
      #expect(outcome.receipts.map(\.outcome) == [.undone, .delivered], "\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
    }
  }

  @Test(arguments: ["B", "X"]) func `a delivery can be undone, whatever bytes its names have`(box: String) async throws
  {
    try await Rig.run("F94-undone-by-bytes", variant: "box=\(box)") { outcome in
      #expect(outcome.receipts.map(\.outcome) == [.undone, .undone], "\(outcome.story)")
      #expect(outcome.files("Z").count == 2 && outcome.files(box).isEmpty, "\(outcome.story)")
      outcome.expectInvariants(payloads: 2, exits: [0, 137, 0], box: box)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root"))
  func `a payload that its handler has made immutable does not delay others`() async throws {
    try await Rig.run("F95-handler-makes-it-immutable") { outcome in
      #expect(outcome.text("explained").contains("chattr"), "\(outcome.text("explained"))")
      #expect(outcome.receipts(.delivered).map(\.location) == ["m.txt"], "\(outcome.story)")
      #expect(outcome.receipts(.rejected).count + outcome.receipts(.failed).count == 2, "\(outcome.story)")
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `payloads in hand are reported as such, and a missing command is named`() async throws {
    try await Rig.run("F96-in-hand-and-no-command") { outcome in
      let asked = outcome.text("asked").split(separator: "\n")
      #expect(asked.count == 3 && asked.allSatisfy { $0.contains("it is in hand") }, "\(asked)")
      #expect(outcome.text("shown").contains("/handler'"), "\(outcome.text("shown"))")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `the id of a copy that is delivered after a crash is not used for another drop`() async throws {
    try await Rig.run("F97-copy-died-and-changed") { outcome in
      #expect(Set(outcome.receipts.map(\.id)).count == 2 && outcome.receipts.count == 2, "\(outcome.story)")
      outcome.expectInvariants(payloads: 2, exits: [137, 0])
    }
  }
}

/// Tests of files that handlers leave in the hold.
@Suite struct LeftInHoldTests {
  @Test func `the receipt of a reject that its handler changed is correct, and it can be retried`() async throws {
    try await Rig.run("F92-handler-changes-and-refuses") { outcome in
      #expect(outcome.text("refused").contains(outcome.text("lies").prefix(64)), "\(outcome.text("refused"))")
      #expect(outcome.text("refused").contains(#""bytes":1,"#), "\(outcome.text("refused"))")
      #expect(outcome.files("B").map(\.bytes) == [1], "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(
    arguments: [
      (#"mv "$1" "$1.done"; accept"#, "the handler left '"), (#"mv "$1" "$1.done"; reject bad file"#, "bad file"),
      (#"gzip "$1"; accept"#, ".txt.gz'"),
    ])
  func `a file that a handler leaves in the hold under another name goes to the rejects`(body: String, reason: String)
    async throws
  {
    try await Rig.run("F93-handler-leaves-it-elsewhere", environment: ["BODY": body]) { outcome in
      let receipt = try #require(outcome.receipts.first)
      #expect(receipt.reason?.message.contains(reason) == true, "\(outcome.story)")
      #expect(outcome.files("R").compactMap(\.sha256).contains(receipt.sha256), "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: [#"mv "$1" "$1.done"; notyet"#, #"mv "$1" "$1.x"; kill -9 $$"#])
  func `after not yet, a file that the handler left under another name is treated the same`(body: String) async throws {
    let body = #"[[ $DROP_ATTEMPT -gt 1 ]] && accept; "# + body
    try await Rig.run("F93-handler-leaves-it-elsewhere", environment: ["BODY": body]) { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(
    arguments: [
      (#"rm "$1"; mkdir "$1"; accept"#, "the handler left '", 1), (#"ln -sf x "$1"; accept"#, "the handler left '", 1),
      (#"rm "$1"; reject bad file"#, "bad file", 0), (#"rm "$1"; notyet"#, "not yet", 0), (#"rm "$1"; exit 3"#, "3", 0),
    ])
  func `a payload that its handler removed without accepting it has failed, and the handler's reason is kept`(
    body: String, reason: String, left: Int
  ) async throws {
    try await Rig.run("F93-handler-leaves-it-elsewhere", environment: ["BODY": body]) { outcome in
      let receipt = try #require(outcome.receipts.first)
      #expect(receipt.outcome == .failed && receipt.reason?.code == .handlerFailed, "\(outcome.story)")
      #expect(receipt.reason?.message.contains(reason) == true && receipt.place == nil, "\(outcome.story)")
      #expect(try outcome.work.appending("held").contents().count { $0 == 0 } == left, "\(outcome.story)")
      #expect(outcome.zone?.inHand == 0 && outcome.exits == [0, 0], "\(outcome.story)")
    }
  }

  @Test func `a file in the hold without a row is found, whatever its name is`() async throws {
    try await Rig.run("F98-died-and-left-elsewhere") { outcome in
      #expect(outcome.receipt(of: "m.txt")?.outcome == .delivered, "\(outcome.story)")
      #expect(outcome.receipts(.failed).count == 2, "\(outcome.story)")
      outcome.expectInvariants(payloads: 3, exits: [137, 0, 0], withdrawn: 1)
    }
  }

  @Test func `a payload that its handler takes away has the outcome taken`() async throws {
    try await Rig.run("F93-handler-leaves-it-elsewhere", environment: ["BODY": #"mv "$1" "$L/"; accept"#]) { outcome in
      #expect(outcome.receipts.map(\.outcome) == [.taken], "\(outcome.story)")
    }
  }
}
