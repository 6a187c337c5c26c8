import DropEngine
import Support
import Testing

/// Tests that no file is missed when directories appear, disappear, are renamed or mounted over.
@Suite struct TreeTests {
  @Test(arguments: 1...3) func `S035 files at the end of new chains of directories all arrive`(round: Int) async throws
  {
    try await Rig.run("S035") { outcome in
      var wanted: [RawPath: Payload] = [:]
      for i in 1...10 { wanted[RawPath("a\(i)/b/c/d/e/f.pdf")] = "pdf x\(i) 3000" }
      try await outcome.expectFiles(wanted)
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 10)
    }
  }

  @Test func `S037 a tree that arrives by one rename is seen completely, without a rescan`() async throws {
    try await Rig.run("S037") { outcome in
      try await outcome.expectFiles(["t/a.pdf": "pdf a 4000", "t/x/y/b.pdf": "pdf b 4000"])
      try outcome.expectFinished("t/x/y/b.pdf", within: 5, of: "dropped")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `S038 changes inside a tree that was moved in are seen`() async throws {
    try await Rig.run("S038") { outcome in
      try await outcome.expectFiles(["u/v/late.pdf": "pdf late 4000", "u/v/w/later.pdf": "pdf later 4000"])
      try outcome.expectFinished("u/v/late.pdf", within: 4, of: "dropped")
      try outcome.expectFinished("u/v/w/later.pdf", within: 4, of: "dropped")
      outcome.expectTargeted("F T F", "F T F T F")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `S040 a file below renamed directories has its current location`() async throws {
    try await Rig.run("S040") { outcome in
      try await outcome.expectFiles(["b1/b2/a3/a4/new.pdf": "pdf deep 4000"])
      outcome.expectDelivered(["b1/b2/a3/a4/new.pdf"])
      let locations = outcome.history.map(\.location) + outcome.log.changes.flatMap(\.zone.staged).map(\.location)
      #expect(!locations.contains { $0.hasPrefix("a1") || $0.contains("a2") }, "an old path\n\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S041 a directory that is deleted and created again is watched again`() async throws {
    try await Rig.run("S041") { outcome in
      var wanted: [RawPath: Payload] = [:]
      for i in 1...5 { wanted[RawPath("d/r\(i).pdf")] = "pdf r\(i) 3000" }
      try await outcome.expectFiles(wanted)
      #expect(outcome.status?.daemon.watches == 2, "watches for two directories\n\(outcome.story)")
      outcome.expectInvariants(payloads: 5)
    }
  }

  @Test func `S043 a zone whose directory is created again continues to work`() async throws {
    try await Rig.run("S043") { outcome in
      try await outcome.expectFiles(["z.pdf": "pdf z 4000"])
      #expect(outcome.log.states.contains(.unavailable), "\(outcome.story)")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S044 a zone is a path, and a directory that was renamed away is left alone`() async throws {
    try await Rig.run("S044") { outcome in
      try await outcome.expectFiles(["new.pdf": "pdf new 4000"])
      outcome.expectLeft(["stray.pdf"], in: "old")
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S046 files in a file system mounted over a watched directory are delivered by copy`() async throws {
    try await Rig.run("S046", mounts: true) { outcome in
      try await outcome.expectFiles(["usb/u.pdf": "pdf u 4000"])
      outcome.expectTargeted("F T F")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S047 nothing is written below a box that is not mounted yet`() async throws {
    try await Rig.run("S047", mounts: true) { outcome in
      outcome.expectLeft(["early.pdf"], in: "early")
      try await outcome.expectFiles(["early.pdf": "pdf early 4000"], in: "mounted")
      try await outcome.expectFiles([:], in: "B")
      #expect(outcome.log.states.contains(.unavailable), "\(outcome.story)")
      outcome.expectDelivered(["early.pdf"])
      outcome.expectInvariants(payloads: 1, placesKnown: false)
    }
  }

  @Test(.enabled(if: Machine.canMount, "needs root, to mount"))
  func `S049 a directory without events is scanned while its neighbour is watched`() async throws {
    try await Rig.run("S049", mounts: true) { outcome in
      try await outcome.expectFiles(["local/l.pdf": "pdf l 4000", "nas/n.pdf": "pdf n 4000"])
      try outcome.expectFinished("local/l.pdf", within: 3.5, of: "dropped")
      // One rescan, the quiet time, and the repeated checks that replace the writer check on an overlay.
      try outcome.expectFinished("nas/n.pdf", within: 10 + 2 + 10 + 1, of: "dropped")
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test(.enabled(if: Machine.isRoot, "needs root, for a watch budget of its own"))
  func `S050 directories beyond the watch limit are scanned, and this is reported`() async throws {
    try await Rig.run("S050") { outcome in
      try await outcome.expectFiles(["d199/w.pdf": "pdf w 4000"])
      try outcome.expectFinished("d199/w.pdf", within: 30 + 2 + 2, of: "dropped")
      #expect((outcome.status?.daemon.watches ?? 0) <= 64, "\(outcome.story)")
      let said = outcome.daemonLog.joined(separator: "\n")
      #expect(said.contains("watch"), "the log names the limit\n\(outcome.story)")
      #expect(!said.contains("No space left"), "mistaken for a full disk\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `S052 links to directories are not entered and not followed`() async throws {
    try await Rig.run("S052") { outcome in
      try await outcome.expectFiles(["p/q/ok.pdf": "pdf ok 3000"])
      outcome.expectLeft(["p/q/up", "p/self", "p/ext", "p/q/late"])
      #expect(outcome.files("S").map(\.path) == ["elsewhere/e.pdf"], "\(outcome.story)")
      #expect(outcome.status?.daemon.watches == 3, "\(outcome.story)")
      #expect(outcome.staged("p/ext")?.waiting == .special, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test(arguments: ["no", "yes"])
  func `S053 directories that become empty stay, or are removed with Prune=yes`(prune: String) async throws {
    try await Rig.run("S053", variant: "prune=\(prune)") { outcome in
      try await outcome.expectFiles(["todo/car/c1.pdf": "pdf c1 3000", "todo/car/c2.pdf": "pdf c2 3000"])
      let directories = outcome.entries("Z").filter { $0.kind == "d" && $0.path != ".dropzone-hold" }.map(\.path)
      #expect(directories.sorted() == (prune == "no" ? ["todo", "todo/car"] : []), "\(outcome.story)")
      outcome.expectInvariants(payloads: 2)
    }
  }
}
