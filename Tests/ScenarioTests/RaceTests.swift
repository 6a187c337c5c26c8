import DropEngine
import Support
import Testing

/// Tests that each drop is one file at one path, and is decided once, whatever its sender does in the meantime.
@Suite struct RaceTests {
  @Test func `S067 several events for one file are one drop`() async throws {
    try await Rig.run("S067") { outcome in
      try await outcome.expectFiles(["cam.mp4": "for i in 1 2 3; do say cam 20000; done"])
      outcome.expectRuns(1)
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S068 two drops with the same name are two payloads`() async throws {
    try await Rig.run("S068") { outcome in
      try await outcome.expectFiles(["Scan.pdf": "pdf first 20000", "Scan.1.pdf": "pdf second 9000"])
      outcome.expectRuns(2)
      let facts = try await PayloadFacts.of(["pdf first 20000", "pdf second 9000"])
      #expect(
        Set(outcome.receipts.compactMap(\.sha256)) == Set(facts.values.map(\.sha256)),
        "each has its own digest\n\(outcome.story)")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(arguments: ["B", "X"])
  func `S070 data that is appended during the judgement is not lost`(box: String) async throws {
    try await Rig.run("S070", variant: "box=\(box)") { outcome in
      let contents = outcome.files(box).count
      if contents == 1 {
        try await outcome.expectFiles(["log.txt": "say v 10000; say w 5000"], in: box)
      } else {
        try await outcome.expectFiles(["log.txt": "say v 10000", "log.1.txt": "say w 5000"], in: box)
      }
      outcome.expectInvariants(payloads: contents, box: box)
    }
  }

  @Test func `S071 the file that was judged is the one that is moved, even if the name is swapped`() async throws {
    try await Rig.run("S071") { outcome in
      let evil = try await PayloadFacts.of((1...20).map { "printf MZevil\($0)" })
      let digests = Set(evil.values.map(\.sha256))
      for receipt in outcome.receipts(.delivered) {
        if let sha256 = receipt.sha256, digests.contains(sha256) {
          #expect(receipt.type != "application/pdf", "\(receipt.location) is no PDF\n\(outcome.story)")
        } else {
          #expect(receipt.type == "application/pdf", "\(receipt.location)\n\(outcome.story)")
        }
      }
      // Each of the 20 bad files arrives in the end; the good file with the same name came before it, or was replaced.
      #expect(
        outcome.files("B").compactMap(\.sha256).filter(digests.contains).count == 20, "all arrive\n\(outcome.story)")
      outcome.expectInvariants(payloads: outcome.receipts(.delivered).count, withdrawn: 20)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to run as another user"))
  func `S073 a file that cannot be removed is not delivered, and stays`() async throws {
    try await Rig.run("S073", as: Rig.nobody) { outcome in
      try await outcome.expectFiles([:], in: "X")
      outcome.expectLeft(["ro/ro.pdf"])
      #expect(outcome.staged("ro/ro.pdf")?.waiting == .cannotTake, "\(outcome.story)")
      outcome.expectInvariants(payloads: 0, box: "X")
    }
  }

  @Test func `S074 a rename by link and unlink is one drop under the new name`() async throws {
    try await Rig.run("S074") { outcome in
      try await outcome.expectFiles(["second.pdf": "pdf rn 6000"])
      outcome.expectDelivered(["second.pdf"])
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: ["", "yes"]) func `a renamed file and the file that now has its old name are two drops`(
    killed: String
  )
    async throws
  {
    try await Rig.run("F85-renamed-and-recreated", environment: ["KILLED": killed]) { outcome in
      var wanted: [RawPath: Payload] = [:]
      for number in 1...3 {
        wanted[RawPath("log\(number).old")] = Payload("say 'old \(number)' 3000")
        wanted[RawPath("log\(number).txt")] = Payload("say 'new \(number)' 3000")
      }
      try await outcome.expectFiles(wanted)
      #expect(Set(outcome.receipts.map(\.id)).count == 6, "\(outcome.story)")
      outcome.expectInvariants(payloads: 6, exits: killed.isEmpty ? [0] : [137, 0])
    }
  }

  @Test func `a file that is renamed repeatedly in the zone does not count as withdrawn`() async throws {
    try await Rig.run("F86-renamed-again-and-again") { outcome in
      #expect(outcome.files("B").count == 10, "\(outcome.story)")
      #expect(outcome.history.count == 10, "\(outcome.story)")
    }
  }

  @Test func `a file that leaves with its directory during the claim counts as withdrawn`() async throws {
    try await Rig.run("F87-directory-removed-in-claim") { outcome in
      #expect(outcome.receipts.map(\.outcome) == [.withdrawn], "\(outcome.story)")
      #expect(outcome.receipts.first?.location == "sub/n.txt", "\(outcome.story)")
      #expect(outcome.zone?.itemsCount == 0, "\(outcome.story)")
    }
  }
}
