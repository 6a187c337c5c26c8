import DropControl
import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct PutTests {
  /// Calls `body` with a zone in a new directory.
  private func withZone(
    in parent: String? = nil,
    _ body:
      @escaping @Sendable (ControlRig, ScriptedZones, _ zone: String, _ scratch: ScratchDirectory) async throws
      -> Void
  ) async throws {
    let scratch = try ScratchDirectory()
    let place = try ScratchDirectory(in: parent)
    let zone = try place.directory("zone")
    let zones = ScriptedZones([.sample("z", path: zone)])
    try await ControlRig.run(zones) { rig in try await body(rig, zones, zone, scratch) }
    _ = place
  }

  @Test(arguments: [nil, "/dev/shm"])
  func `files appear complete, with their times and modes, and no temporary files remain`(parent: String?) async throws
  {
    try await withZone(in: parent) { rig, _, zone, scratch in
      let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let a = try scratch.file("a.bin", content)
      let b = try scratch.file("-b", [])
      try await Program.run("/bin/chmod", ["4640", RawPath(a)])
      try await Program.run("/usr/bin/touch", ["-d", "2020-02-02T02:02:02.123456789Z", RawPath(a)])
      let result = try await rig.tool("put", a, b, "z")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.isEmpty)
      #expect(try ScratchDirectory.names(in: zone) == ["-b", "a.bin"])
      #expect(try ScratchDirectory.content(of: zone + "/a.bin") == content)
      let facts = try await Program.run("/usr/bin/stat", ["-c", "%a %.Y %h", RawPath(zone + "/a.bin")])
      #expect(facts.output == "640 1580608922.123456789 1\n")
    }
  }

  @Test func `existing files are not replaced`() async throws {
    try await withZone { rig, _, zone, scratch in
      let a = try scratch.file("a", [1, 2, 3])
      #expect(try await rig.tool("put", a, "z").status == 0)
      try scratch.file("a", [4])
      let second = try await rig.tool("put", a, "z")
      #expect(second.status == 1)
      #expect(second.errors == "dropzone: '\(zone)/a' already exists\n")
      #expect(try ScratchDirectory.content(of: zone + "/a") == [1, 2, 3])
      #expect(try ScratchDirectory.names(in: zone) == ["a"])
    }
  }

  @Test func `files that cannot be copied are named, and the others are copied`() async throws {
    try await withZone { rig, _, zone, scratch in
      let pipe = scratch.appending("pipe")
      try await Program.run("/usr/bin/mkfifo", [RawPath(pipe)])
      let result = try await rig.tool(
        "put", scratch.appending("none"), scratch.path, pipe, try scratch.file("fine", [1]), "z")
      #expect(result.status == 1)
      #expect(
        result.errors == """
          dropzone: cannot read '\(scratch.appending("none"))': No such file or directory
          dropzone: cannot read '\(scratch.path)': Is a directory
          dropzone: '\(pipe)' is not a regular file

          """)
      #expect(try ScratchDirectory.names(in: zone) == ["fine"])
    }
  }

  @Test func `put waits for the verdict of each file, and exits with 1 if one is refused`() async throws {
    try await withZone { rig, zones, zone, scratch in
      let (a, b) = (try scratch.file("a", [1]), try scratch.file("b", [2]))
      // The receipt of an earlier file with the same name.
      zones.add(receipt("a", at: WallTime.now.milliseconds - 60_000, outcome: .rejected))
      let putting = try rig.start("put", a, b, "z", "--wait")
      try await offPool { until { (try? ScratchDirectory.names(in: zone)) == ["a", "b"] } }
      zones.add(receipt("a", at: WallTime.now.milliseconds - 30_000, outcome: .rejected))
      zones.add(receipt("b", at: WallTime.now.milliseconds, outcome: .delivered))
      #expect(try await putting.line() == "✓ delivered: b → /srv/box/z/b")
      zones.add(receipt("a", at: WallTime.now.milliseconds, outcome: .delivered))
      let result = try await putting.end()
      #expect(result.output == "✓ delivered: a → /srv/box/z/a\n")
      #expect(result.status == 0)

      let c = try scratch.file("c", [3])
      let refused = try rig.start("put", c, "z", "--wait", "--timeout", "1min")
      try await offPool { until { (try? ScratchDirectory.names(in: zone).contains("c")) == true } }
      zones.add(receipt("c", at: WallTime.now.milliseconds, outcome: .rejected))
      let end = try await refused.end()
      #expect(end.output == "✗ rejected: c (type: this zone takes only PDF)\n")
      #expect(end.status == 1)
    }
  }

  @Test func `at the timeout, put says what a file is waiting for`() async throws {
    try await withZone { rig, _, zone, scratch in
      let result = try await rig.tool("put", try scratch.file("a", [1]), "z", "--wait", "--timeout", "50ms")
      #expect(result.status == 1)
      #expect(
        result.errors == "dropzone: 'a' has no verdict yet: staged, waiting for quiet: quiet for 0.4 s more\n")
      #expect(try ScratchDirectory.names(in: zone) == ["a"])
    }
  }
}

private func receipt(_ name: String, at milliseconds: Int64, outcome: Receipt.Outcome) -> Receipt {
  let firstSeen = WallTime(milliseconds: milliseconds).description
  return .sample(
    name, zone: "z", outcome: outcome,
    reason: outcome == .rejected ? .init(code: .type, message: "this zone takes only PDF") : nil, firstSeen: firstSeen,
    finished: WallTime.now.description, locationBytes: VarlinkJSON.base64(Array(name.utf8)))
}
