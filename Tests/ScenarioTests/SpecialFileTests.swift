import DropEngine
import Support
import Testing

/// Tests that only regular files are opened, no link is followed, and files that may not be taken stay.
@Suite struct SpecialFileTests {
  @Test func `S095 named pipes are listed as special, and do not delay anything`() async throws {
    try await Rig.run("S095") { outcome in
      try await outcome.expectFiles(["ok.pdf": "pdf ok 3000"])
      try outcome.expectFinished("ok.pdf", within: 4, of: "dropped")
      outcome.expectLeft(["notes.md", "x.pdf"])
      #expect(outcome.staged("notes.md")?.waiting == .special, "\(outcome.story)")
      #expect(outcome.staged("x.pdf")?.waiting == .special, "\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to own files as another"))
  func `S097 no content of a file outside the zone is taken through a link`() async throws {
    try await Rig.run("S097") { outcome in
      try await outcome.expectFiles([:])
      outcome.expectLeft(["report.txt"])
      outcome.expectRefused(["hard.txt": .hardLinked])
      outcome.expectRuns(0)
      let secret = try #require(outcome.files("L").first { $0.path == "secret" })
      #expect(secret.mode == 0o600 && secret.user == 1234 && secret.bytes == 500, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S098 a file that is replaced by a link never yields the content of the target`() async throws {
    try await Rig.run("S098") { outcome in
      let secret = try await PayloadFacts.of(["say secret 500"])["say secret 500"]?.sha256
      #expect(!outcome.files("B").contains { $0.sha256 == secret }, "the secret in the box\n\(outcome.story)")
      #expect(outcome.files("L").contains { $0.path == "secret" && $0.sha256 == secret }, "\(outcome.story)")
      outcome.expectInvariants(payloads: outcome.receipts(.delivered).count, withdrawn: 30)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, to run as another user"))
  func `S100 a directory that may not be entered is reported, and entered once it may be`() async throws {
    try await Rig.run("S100", as: Rig.nobody) { outcome in
      try await outcome.expectFiles(["free.pdf": "pdf free 3000", "locked/in.pdf": "pdf in 3000"])
      let locked = try JSONText.decode(StatusReport.self, outcome.work.appending("status.locked.json").contents())
      let listed = locked.zones.flatMap(\.staged).first { $0.location.hasPrefix("locked") }
      #expect(listed?.waiting == .unreadable, "\(String(describing: listed))\n\(outcome.story)")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has(program: "chattr"), "needs root, to make a file immutable"))
  func `S101 an immutable file is not copied, and is delivered once when it is no longer immutable`() async throws {
    try await Rig.run("S101") { outcome in
      try await outcome.expectFiles(["imm.pdf": "pdf imm 4000", "b.pdf": "pdf b 3000"])
      try outcome.expectFinished("b.pdf", within: 5, of: "dropped")
      try await outcome.expectFiles(["b.pdf": "pdf b 3000"], in: "box")
      #expect(outcome.entries("boxhold").filter { $0.kind == "f" }.isEmpty, "\(outcome.story)")
      let before = try JSONText.decode(StatusReport.self, outcome.work.appending("status.immutable.json").contents())
      let listed = before.zones.flatMap(\.staged).first { $0.location == "imm.pdf" }
      #expect(listed?.waiting == .cannotTake && listed?.detail.contains("immutable") == true, "\(outcome.story)")
      #expect(outcome.text("attributes").split(separator: " ").first?.contains("i") == true, "the flag is left alone")
      outcome.expectInvariants(payloads: 2)
    }
  }
}
