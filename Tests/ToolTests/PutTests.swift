import DropControl
import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct PutTests {
  /// A zone in a directory of the rig's own.
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
  func `files appear whole, with their times and modes, and nothing else is left`(parent: String?) async throws {
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

  @Test func `nothing is replaced`() async throws {
    try await withZone { rig, _, zone, scratch in
      let a = try scratch.file("a", [1, 2, 3])
      #expect(try await rig.tool("put", a, "z").status == 0)
      try scratch.file("a", [4])
      let second = try await rig.tool("put", a, "z")
      #expect(second.status == 1)
      #expect(second.errors == "dropzone: '\(zone)/a' is there already\n")
      #expect(try ScratchDirectory.content(of: zone + "/a") == [1, 2, 3])
      #expect(try ScratchDirectory.names(in: zone) == ["a"])
    }
  }

  @Test func `what cannot be put is named, and the rest is put`() async throws {
    try await withZone { rig, _, zone, scratch in
      let pipe = scratch.appending("pipe")
      try await Program.run("/usr/bin/mkfifo", [RawPath(pipe)])
      let result = try await rig.tool(
        "put", scratch.appending("none"), scratch.path, pipe, try scratch.file("fine", [1]), "z")
      #expect(result.status == 1)
      #expect(
        result.errors == """
          dropzone: '\(scratch.appending("none"))': No such file or directory
          dropzone: '\(scratch.path)': Is a directory
          dropzone: '\(pipe)': no regular file

          """)
      #expect(try ScratchDirectory.names(in: zone) == ["fine"])
    }
  }

  @Test func `the verdict of each is waited for, and one refusal is a no`() async throws {
    try await withZone { rig, zones, zone, scratch in
      let (a, b) = (try scratch.file("a", [1]), try scratch.file("b", [2]))
      // Another's, of the same name, from before.
      zones.add(receipt("a", at: Moment.now.milliseconds - 60_000, outcome: .rejected))
      let putting = try rig.start("put", a, b, "z", "--wait")
      try await offPool { until { (try? ScratchDirectory.names(in: zone)) == ["a", "b"] } }
      zones.add(receipt("a", at: Moment.now.milliseconds - 30_000, outcome: .rejected))
      zones.add(receipt("b", at: Moment.now.milliseconds, outcome: .delivered))
      #expect(try await putting.line() == "✓ delivered: b → /srv/box/z/b")
      zones.add(receipt("a", at: Moment.now.milliseconds, outcome: .delivered))
      let result = try await putting.end()
      #expect(result.output == "✓ delivered: a → /srv/box/z/a\n")
      #expect(result.status == 0)

      let c = try scratch.file("c", [3])
      let refused = try rig.start("put", c, "z", "--wait", "--timeout", "1min")
      try await offPool { until { (try? ScratchDirectory.names(in: zone).contains("c")) == true } }
      zones.add(receipt("c", at: Moment.now.milliseconds, outcome: .rejected))
      let end = try await refused.end()
      #expect(end.output == "✗ rejected: c (type: a PDF is wanted)\n")
      #expect(end.status == 1)
    }
  }

  @Test func `at the timeout it is said what a file waits for`() async throws {
    try await withZone { rig, _, zone, scratch in
      let result = try await rig.tool("put", try scratch.file("a", [1]), "z", "--wait", "--timeout", "50ms")
      #expect(result.status == 1)
      #expect(
        result.errors == "dropzone: 'a': no verdict yet: staged, waits for quiet: quiet for 0.4 s more\n")
      #expect(try ScratchDirectory.names(in: zone) == ["a"])
    }
  }
}

private func receipt(_ name: String, at milliseconds: Int64, outcome: Receipt.Outcome) -> Receipt {
  let moment = Moment(milliseconds: milliseconds).description
  return .sample(
    name, zone: "z", outcome: outcome,
    reason: outcome == .rejected ? .init(code: .type, message: "a PDF is wanted") : nil, firstSeen: moment,
    finished: Moment.now.description, locationBytes: VarlinkJSON.base64(Array(name.utf8)))
}
