import DropEngine
import Support
import Testing

/// Tests that temporary names light the zone and are never judged, and that junk is ignored.
@Suite struct TemporaryNameTests {
  @Test func `S023 a file with a hidden temporary name lights the zone and gets its final name`() async throws {
    try await Rig.run("S023") { outcome in
      try await outcome.expectFiles(["rep.pdf": "for i in 1 2 3 4; do say $i 20000; done"])
      outcome.expectTargeted("F T F")
      let begun = try #require(outcome.marks["begun"])
      let lit = try #require(outcome.log.periods.first?.begin, "\(outcome.story)")
      #expect(lit - begun < 1000, "targeted only \(lit - begun) ms after the temporary file was there")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S025 a rename to a matching name is an arrival, whatever the old name was`() async throws {
    try await Rig.run("S025") { outcome in
      try await outcome.expectFiles(["part.zip": "say z 30000", "scan.pdf": "say q 30000"])
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `S026 a partial file stops lighting the zone after a while, until it is resumed`() async throws {
    try await Rig.run("S026") { outcome in
      try await outcome.expectFiles(["film.mp4": "say h 60000; say i 60000"])
      outcome.expectTargeted("F T F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S028 the companion files of macOS are left alone`() async throws {
    try await Rig.run("S028") { outcome in
      try await outcome.expectFiles(["a.pdf": "pdf m 7000"])
      outcome.expectLeft(["._a.pdf", ".DS_Store", ".localized"])
      outcome.expectTargeted("F T F")
      #expect(outcome.log.periods.allSatisfy { $0.seconds < 6 }, "companions hold the zone lit\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S029 ignore patterns are globs, and one that matches every name is an error`() async throws {
    try await Rig.run("S029") { outcome in
      try await outcome.expectFiles(["invoice.pdf": "pdf g 5000"])
      outcome.expectLeft([".hidden.pdf"])
      outcome.expectTargeted("F T F")
      #expect(outcome.text("refused") == "78", "Ignore=* is a configuration error\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1, exits: [0, 78])
    }
  }

  @Test func `S031 Windows folder metadata is junk, regardless of case`() async throws {
    try await Rig.run("S031") { outcome in
      try await outcome.expectFiles(["invoice.pdf": "pdf inv 5000"])
      try outcome.expectFinished("invoice.pdf", within: 4, of: "dropped")
      outcome.expectLeft(["Thumbs.db", "THUMBS.DB", "desktop.ini", "Desktop.ini", "invoice.pdf:Zone.Identifier"])
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S032 a file that NFS renamed on deletion counts as withdrawn`() async throws {
    try await Rig.run("S032") { outcome in
      try await outcome.expectFiles([:])
      outcome.expectRuns(0)
      outcome.expectTargeted("F T F", "F")
      outcome.expectInvariants(payloads: 0, withdrawn: 1)
    }
  }

  @Test func `S034 finished files with temporary names stay as stalled, and do not delay anything`() async throws {
    try await Rig.run("S034") { outcome in
      try await outcome.expectFiles(["ok.pdf": "pdf ok 5000"])
      try outcome.expectFinished("ok.pdf", within: 4, of: "dropped")
      outcome.expectLeft(["engine.part", "notes.tmp"])
      #expect(outcome.staged("engine.part")?.waiting == .stalled, "\(outcome.story)")
      #expect(outcome.staged("notes.tmp")?.waiting == .stalled, "\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }
}
