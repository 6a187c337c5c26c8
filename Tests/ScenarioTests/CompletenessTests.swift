import DropEngine
import Support
import Testing

/// Tests that nothing is judged, typed or moved before its last byte is written.
@Suite struct CompletenessTests {
  @Test func `S001 an empty file that is filled later is delivered once it is complete`() async throws {
    try await Rig.run("S001") { outcome in
      try await outcome.expectFiles(["scan.pdf": "pdf one 50000"])
      outcome.expectTargeted("F T F")
      outcome.expectTargetedFor(atLeast: 6)
      outcome.expectRuns(1)
      outcome.expectLeft()
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: [("1.5", "quiet=2"), ("4", "quiet=5")])
  func `S002 a file that is closed between its pages is delivered once`(gap: String, variant: String) async throws {
    try await Rig.run("S002", variant: variant, environment: ["GAP": gap]) { outcome in
      try await outcome.expectFiles(["doc.pdf": "for p in 1 2 3 4; do say page$p 30000; done"])
      outcome.expectTargeted("F T F")
      outcome.expectRuns(1)
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S004 a file that stays empty is refused as empty, and its successor is a separate drop`() async throws {
    try await Rig.run("S004") { outcome in
      try await outcome.expectFiles(["never.pdf": "pdf late 9000"])
      try await outcome.expectFiles(["never.pdf": ":"], in: "R")
      outcome.expectRefused(["never.pdf": .empty])
      #expect(outcome.receipts(.rejected).first?.type != "application/pdf", "\(outcome.story)")
      outcome.expectTargeted("F T F T F")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
  func `S005 a file that is busy at first is checked again without a new event`() async throws {
    try await Rig.run("S005") { outcome in
      try await outcome.expectFiles(["busy.pdf": "pdf busy 8000"])
      #expect(outcome.text("faults").contains("busy.pdf"), "the fault was never met\n\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectRefused([:])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S007 a file that is open for writing waits, however inactive its writer is`() async throws {
    try await Rig.run("S007") { outcome in
      try await outcome.expectFiles(["slow.mov": "for i in 1 2 3; do say $i 100000; done"])
      outcome.expectTargeted("F T F")
      outcome.expectTargetedFor(atLeast: 20)
      #expect(outcome.log.waits(of: "slow.mov").contains { $0.waiting == .writer }, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S008 a file with two writers waits until both have closed it`() async throws {
    try await Rig.run("S008") { outcome in
      try await outcome.expectFiles(["two.bin": "say a 1000; say b 1000"])
      outcome.expectTargeted("F T F")
      outcome.expectTargetedFor(atLeast: 6)
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S010 a file that is created without a name and linked in is delivered once its writer closes it`()
    async throws
  {
    try await Rig.run("S010") { outcome in
      try await outcome.expectFiles(["late.bin": "printf headtail"])
      outcome.expectTargeted("F T F")
      let staged = outcome.log.changes.flatMap(\.zone.staged).map(\.location)
      #expect(!staged.contains { $0.hasPrefix("#") }, "\(outcome.story)")
      #expect(!outcome.daemonLog.contains { $0.contains("'#") || $0.contains("/#") }, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S011 a file is not taken while a process maps it for writing`() async throws {
    try await Rig.run("S011") { outcome in
      try await outcome.expectFiles(["mm.bin": "printf DATADATADATADATA; head -c 8176 /dev/zero"])
      let unmapped = try #require(outcome.marks["unmapped"])
      let released = try #require(outcome.receipts.first?.released.flatMap(Timestamp.milliseconds), "\(outcome.story)")
      #expect(released >= unmapped - 500, "released while it was mapped\n\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S013 a file that is rewritten while it waits is delivered in its last form`() async throws {
    try await Rig.run("S013") { outcome in
      try await outcome.expectFiles(["price.pdf": "pdf v2 30000"])
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S014 a transfer that is running when the daemon starts is treated like any other`() async throws {
    try await Rig.run("S014") { outcome in
      try await outcome.expectFiles(["inflight.iso": "for i in 1 2 3 4 5 6 7 8; do say $i 50000; done"])
      outcome.expectTargeted("T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S016 an old modification time does not make a file complete, and is kept`() async throws {
    try await Rig.run("S016") { outcome in
      try await outcome.expectFiles(["old.mov": "say a 50000; say b 50000"])
      let modified = try #require(outcome.files("B").first?.modified)
      #expect((978_220_800.0...978_480_000.0).contains(modified), "\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectTargetedFor(atLeast: 5)
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S017 a modification time in the future does not delay a file, and is kept`() async throws {
    try await Rig.run("S017") { outcome in
      try await outcome.expectFiles(["fut.pdf": "pdf fut 4000"])
      try outcome.expectFinished("fut.pdf", within: 5, of: "dropped")
      let dropped = try #require(outcome.marks["dropped"])
      let modified = try #require(outcome.files("B").first?.modified)
      #expect(modified > Double(dropped) / 1000 + 300 * 86_400, "\(outcome.story)")
      let negative = try Regex(#"(^|[\s=:])-[0-9]"#)
      let lines = outcome.daemonLog.filter { !$0.hasPrefix("--- ") }
      #expect(!lines.contains { $0.contains(negative) }, "a negative number in the log\n\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  // A close does not restart the quiet time, so there is no limit to reach; the file is taken between two opens.
  @Test func `S019 opens without a write do not delay a finished file`() async throws {
    try await Rig.run("S019") { outcome in
      try await outcome.expectFiles(["idx.pdf": "pdf idx 6000"])
      try outcome.expectFinished("idx.pdf", within: 16, of: "dropped")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S020 a placeholder waits for the temporary file beside it`() async throws {
    try await Rig.run("S020") { outcome in
      try await outcome.expectFiles(["archive.zip": "for i in 1 2 3 4 5; do say $i 40000; done"])
      outcome.expectTargeted("F T F")
      outcome.expectRefused([:])
      // The placeholder that was replaced may count as withdrawn, because its name was not temporary.
      outcome.expectInvariants(payloads: 1, withdrawn: 1)
    }
  }

  @Test func `S022 a file with a marker is taken when both exist`() async throws {
    try await Rig.run("S022") { outcome in
      try await outcome.expectFiles(["d1.csv": "say d1 20000", "d2.csv": "say d2 30000"])
      outcome.expectLeft(["d3.csv", "lonely.done"])
      let announced = try #require(outcome.marks["announced"])
      let released = try #require(
        outcome.receipt(of: "d1.csv")?.released.flatMap(Timestamp.milliseconds), "\(outcome.story)")
      #expect(released >= announced - 50, "d1 before its marker\n\(outcome.story)")
      let waits = outcome.log.waits(of: "d3.csv")
      #expect(waits.last?.waiting == .stalled, "\(outcome.story)")
      #expect(waits.contains { $0.detail.contains("marker missing") }, "\(outcome.story)")
      #expect(outcome.staged("lonely.done") != nil, "the lone marker is listed\n\(outcome.story)")
      outcome.expectInvariants(payloads: 2)
    }
  }
}
