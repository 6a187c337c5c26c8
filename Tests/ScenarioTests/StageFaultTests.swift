import DropEngine
import Support
import Testing

/// Tests that staged payloads are never forgotten, and do not delay others.
@Suite struct StageFaultTests {
  @Test func `lengths and times that overflow do not crash the daemon`() async throws {
    try await Rig.run("F49-beyond-numbers") { outcome in
      try await outcome.expectFiles(["d/n.txt": "say n 3000"], in: "X")
      #expect(outcome.entries("Z").isEmpty, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1, box: "X", withdrawn: 2)
    }
  }

  @Test func `a file is checked as soon as the temporary file beside it is gone`() async throws {
    try await Rig.run("F50-temporary-gone") { outcome in
      try outcome.expectFinished("x.txt", within: 5, of: "removed")
      try outcome.expectFinished("y.odt", within: 5, of: "removed")
      try await outcome.expectFiles(["x.txt": "say x 3000", "y.odt": "say y 3000"])
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `an event whose directory cannot be opened for a moment is not lost`() async throws {
    try await Rig.run("F51-event-without-descriptors") { outcome in
      try outcome.expectFinished("d/n.txt", within: 10, of: "dropped")
      #expect(outcome.zone?.reason == nil, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a file that cannot be inspected when it arrives is not forgotten`() async throws {
    try await Rig.run("F56-not-looked-at") { outcome in
      try outcome.expectFinished("n.txt", within: 14, of: "dropped")
      #expect(outcome.daemonLog.count { $0.contains("cannot be listed") } == 1, "\(outcome.story)")
      #expect(outcome.zone?.reason == nil, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `a payload that is asked about again and waits for the box does not light the zone`() async throws {
    try await Rig.run("F52-box-away-when-asked-again") { outcome in
      let meanwhile = outcome.text("meanwhile").filter { !$0.isWhitespace }
      #expect(meanwhile.contains(#""isTargeted":false"#), "\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.canMake("btrfs"), "needs root and btrfs"))
  func `a file in a subvolume of the zone is delivered`() async throws {
    try await Rig.run("F53-subvolume", mounts: true) { outcome in
      try outcome.expectFinished("s/d/m.txt", within: 15, of: "dropped")
      try await outcome.expectFiles(["a.txt": "say a 3000", "s/n.txt": "say n 3000", "s/d/m.txt": "say m 3000"])
      #expect(outcome.zone?.reason == nil, "\(outcome.story)")
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `withdrawals and pauses while the ledger has no room are recorded afterwards`() async throws {
    try await Rig.run("F54-ledger-full-and-withdrawn", mounts: true) { outcome in
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1, exits: [0, 0], withdrawn: 10)
    }
  }

  @Test func `the marker of a copy does not light the zone`() async throws {
    try await Rig.run("F55-marker-of-a-copy") { outcome in
      for file in ["meanwhile", "after"] {
        let status = outcome.text(file).filter { !$0.isWhitespace }
        #expect(status.contains(#""isTargeted":false"#), "\(file)\n\(outcome.story)")
      }
      try await outcome.expectFiles(["n.txt": "say n 3000", "n.1.txt": "say m 4000"])
      outcome.expectInvariants(payloads: 2, exits: [0, 0])
    }
  }
}
