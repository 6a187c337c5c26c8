import DropEngine
import Support
import Testing

/// What operators ask for at the wrong moment: while something else is under way, twice, or of the wrong thing.
@Suite struct VerbTests {
  @Test(arguments: ["follow", "List", "Wait"])
  func `the daemon ends soon whoever asks it for something`(call: String) async throws {
    try await Rig.run("F88-stopped-while-asked", environment: ["ASK": call]) { outcome in
      outcome.expectInvariants(payloads: 6)
    }
  }

  @Test(arguments: ["signal", "client"])
  func `the daemon ends soon while it is reloaded`(way: String) async throws {
    try await Rig.run("F89-stopped-in-a-reload", environment: ["HOW": way]) { outcome in
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a reject that is tried again while it is tried again is lost to nobody`() async throws {
    try await Rig.run("F90-retried-again-and-again") { outcome in
      #expect(!outcome.text("retries").contains("No such file"), "\(outcome.text("retries"))")
      #expect(outcome.receipts.map(\.outcome) == [.rejected], "\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"], in: "R")
      outcome.expectInvariants(payloads: 1)
    }
  }
}

/// What handlers leave in the hold.
@Suite struct LeftInHoldTests {
  @Test func `a reject that its handler has changed is told as it is, and can be tried again`() async throws {
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
  func `what a handler leaves in the hold under another name is a reject`(body: String, reason: String) async throws {
    try await Rig.run("F93-handler-leaves-it-elsewhere", environment: ["BODY": body]) { outcome in
      let receipt = try #require(outcome.receipts.first)
      #expect(receipt.reason?.message.contains(reason) == true, "\(outcome.story)")
      #expect(outcome.files("R").compactMap(\.sha256).contains(receipt.sha256), "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: [#"mv "$1" "$1.done"; notyet"#, #"mv "$1" "$1.x"; kill -9 $$"#])
  func `what it will do later it does with what it has left there`(body: String) async throws {
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
  func `what a handler has removed without taking it has failed, and its word is kept`(
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

  @Test func `what a handler takes away is taken`() async throws {
    try await Rig.run("F93-handler-leaves-it-elsewhere", environment: ["BODY": #"mv "$1" "$L/"; accept"#]) { outcome in
      #expect(outcome.receipts.map(\.outcome) == [.taken], "\(outcome.story)")
    }
  }
}
