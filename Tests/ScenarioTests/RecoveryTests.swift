import DropEngine
import Support
import Testing

/// Tests that events are only hints, that scans find everything, and that every payload survives a crash.
@Suite struct RecoveryTests {
  /// The length of the kernel's queue is a setting of the whole machine, so these two tests run one at a time.
  @Suite(.serialized) struct ShortQueueTests {
    @Test(.enabled(if: Machine.isRoot, "needs root, to shorten the event queue"))
    func `S055 no payload is lost in a burst during a long judgement`() async throws {
      try await Rig.run("S055") { outcome in
        var wanted: [RawPath: Payload] = ["first.pdf": "pdf first 3000"]
        for i in 1...300 { wanted[RawPath("m/\(i).txt")] = "say \(i) 200" }
        try await outcome.expectFiles(wanted)
        #expect(outcome.status?.daemon.overflows == 0, "\(outcome.story)")
        let burst = try #require(outcome.marks["burst"])
        #expect(
          outcome.log.periods.contains { (burst - 500...burst + 1000).contains($0.begin) },
          "targeted within 1 s of the burst\n\(outcome.story)")
        outcome.expectInvariants(payloads: 301)
      }
    }

    @Test(.enabled(if: Machine.isRoot, "needs root, to shorten the event queue"))
    func `S056 a rename whose second half is lost in an overflow leaves no phantom`() async throws {
      try await Rig.run("S056") { outcome in
        try await outcome.expectFiles(["k.pdf": "pdf k 5000"])
        #expect((outcome.status?.daemon.overflows ?? 0) >= 1, "\(outcome.story)")
        #expect(outcome.staged(".k.pdf.Ab12Cd") == nil, "\(outcome.story)")
        #expect(outcome.zone?.staged.count == 20, "the twenty hidden files, stalled\n\(outcome.story)")
        outcome.expectTargeted("F T F")
        outcome.expectInvariants(payloads: 1)
      }
    }
  }

  @Test func `S058 scans do not find a payload a second time while it is judged`() async throws {
    try await Rig.run("S058") { outcome in
      try await outcome.expectFiles(["dup.pdf": "pdf dup 30000"])
      outcome.expectRuns(1)
      #expect(!outcome.daemonLog.contains { $0.contains("No such file") }, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S059 a file that arrives during a judgement is judged afterwards`() async throws {
    try await Rig.run("S059") { outcome in
      try await outcome.expectFiles(["p1.pdf": "pdf p1 3000", "p2.pdf": "pdf p2 3000", "p3.pdf": "pdf p3 3000"])
      outcome.expectRuns(3)
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `S061 a stop during a judgement voids it, and parks the payload`() async throws {
    try await Rig.run("S061") { outcome in
      try await outcome.expectFiles([:], in: "box")
      let inZone = outcome.files("stopped").count
      let held = (try? outcome.work.appending("held.stopped").contents())?.count { $0 == 0 } ?? 0
      #expect(inZone + held == 1, "stop.pdf in zone or hold, once\n\(outcome.story)")
      let stops = outcome.work.appending("stops").lines().compactMap {
        $0.split(separator: "\t").last.flatMap { Int($0) }
      }
      #expect((stops.first ?? .max) < 10_000, "stopped within 10 s: \(stops)")
      try await outcome.expectFiles(["stop.pdf": "pdf stop 4000"])
      outcome.expectRuns(2)
      #expect(outcome.runs.map(\.attempt) == [1, 1], "a void verdict costs no attempt\n\(outcome.story)")
      #expect(Set(outcome.runs.map(\.id)).count == 1, "the same id\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S062 a payload that crashes the daemon three times goes to the rejects`() async throws {
    try await Rig.run("S062") { outcome in
      try await outcome.expectFiles(["good.pdf": "pdf good 3000"])
      outcome.expectRefused(["2018-99-99 - x - aaa.pdf": .crashes])
      try await outcome.expectContents(["pdf bad 3000"], in: "R")
      let crashes = outcome.exits.filter { $0 == 137 }.count
      #expect((2...3).contains(crashes), "\(crashes) crashes\n\(outcome.story)")
      outcome.expectInvariants(payloads: 2, exits: Array(repeating: 137, count: crashes) + [0])
    }
  }

  @Test func `S064 a second daemon refuses a zone that has one`() async throws {
    try await Rig.run("S064") { outcome in
      var wanted: [RawPath: Payload] = [:]
      for i in 1...50 { wanted[RawPath("t\(i).bin")] = "say t\(i) 2000" }
      try await outcome.expectFiles(wanted)
      #expect(outcome.text("second") == "1", "exit 1\n\(outcome.text("second.log"))")
      if let pid = outcome.status?.daemon.pid {
        #expect(outcome.text("second.log").contains("\(pid)"), "names the process: \(outcome.text("second.log"))")
      }
      outcome.expectRuns(50)
      outcome.expectInvariants(payloads: 50)
    }
  }

  @Test func `S065 a damaged ledger is set aside, and does not suppress arrivals`() async throws {
    try await Rig.run("S065") { outcome in
      try await outcome.expectFiles(["s1.pdf": "pdf s1 4000", "s1.1.pdf": "pdf s1b 4100", "s2.pdf": "pdf s2 4000"])
      outcome.expectInvariants(payloads: 2, exits: [137, 0], foreign: 1)
    }
  }
}
