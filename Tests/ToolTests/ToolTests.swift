import DropControl
import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct ToolTests {
  @Test func `status draws each zone, and prints everything with --json`() async throws {
    let zones = ScriptedZones()
    zones.publish(ZoneStatus.sample("invoices").targeted(by: "a.pdf"))
    try await ControlRig.run(zones) { rig in
      let drawn = try await rig.tool("status")
      #expect(drawn.status == 0)
      #expect(drawn.output.contains("─ ● invoices "))
      #expect(drawn.output.contains("╌ ○ photos "))
      #expect(drawn.output.contains("2 zones, 1 targeted · 1 staged, 1.2 MB · 6 accepted · 2 rejected\n"))
      #expect(drawn.output.contains("dropzoned 1.0, process 4321 · 12 of 65536 watches\n"))
      #expect(!drawn.output.contains("\u{1B}"))

      let json = try await rig.tool("status", "--json", "photos")
      let expected = StatusReport(daemon: .sample, zones: [.sample("photos")])
      #expect(try VarlinkJSON.decode(StatusReport.self, from: Array(json.output.utf8)) == expected)
      #expect(json.output.hasPrefix(#"{"daemon":{"libmagic":"5.44","mimeInfo":"2.2","overflows":0,"pid":4321,"#))
      #expect(json.output.contains(#""last":null"#))
      #expect(json.output.contains(#""path":"/srv/drop/photos""#))
      #expect(json.output.hasSuffix("}\n"))
    }
  }

  @Test func `the error for an unknown zone suggests the most similar name`() async throws {
    try await ControlRig.run { rig in
      for words in [["status"], ["pause"], ["history"], ["wait"], ["put", "/etc/hostname"]] {
        let result = try await Program.run(
          Executables.client, ["--socket", rig.path] + (words + ["invoces"]).map { RawPath($0) })
        #expect(result.status == (words == ["pause"] ? 0 : 1))
        if result.status == 1 {
          #expect(result.errors == "dropzone: there is no zone 'invoces'; did you mean 'invoices'?\n")
        }
      }
    }
  }

  @Test func `status --watch --json prints a line for each zone and for each change`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      let watching = try rig.start("status", "--watch", "--json")
      var changes: [ZoneChange] = []
      for _ in 0..<2 { changes.append(try decoded(await watching.line())) }
      #expect(changes.map(\.zone.name) == ["invoices", "photos"])
      let targeted = ZoneStatus.sample("photos").targeted(by: "x.jpg")
      zones.publish(targeted)
      zones.publish(.sample("photos"))
      for _ in 0..<2 { changes.append(try decoded(await watching.line())) }
      #expect(changes.map(\.n) == [1, 2, 3, 4])
      #expect(changes.suffix(2).map(\.zone) == [targeted, .sample("photos")])
      watching.send(15)
      #expect(try await watching.end().status == 128 + 15)
    }
  }

  @Test func `status --watch without a terminal prints each zone when it changes`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      let watching = try rig.start("status", "--watch", "photos")
      var lines: [String] = []
      while lines.last?.hasPrefix("╰") != true { lines.append(try await watching.line() ?? "╰ end") }
      #expect(lines.count == 4)
      zones.publish(ZoneStatus.sample("photos").targeted(by: "x.jpg"))
      lines = []
      while lines.last?.hasPrefix("╰") != true { lines.append(try await watching.line() ?? "╰ end") }
      #expect(lines.contains { $0.hasPrefix("│ x.jpg") })
      watching.send(15)
      _ = try await watching.end()
    }
  }

  @Test func `status --watch exits with 69 when the daemon stops`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      let watching = try rig.start("status", "--watch", "--json")
      _ = try await watching.line()
      zones.stop()
      let result = try await watching.end()
      #expect(result.status == 69)
      #expect(result.errors == "dropzone: the daemon is stopping\n")
    }
  }

  @Test func `history prints receipts, as lines or as objects, and follows`() async throws {
    let zones = ScriptedZones()
    zones.add(.sample("a.pdf"))
    zones.add(
      .sample(
        "b.exe", zone: "photos", outcome: .rejected, reason: .init(code: .type, message: "this zone takes pictures")))
    try await ControlRig.run(zones) { rig in
      let lines = try await rig.tool("history")
      #expect(lines.output.contains("✓ delivered  invoices       1.2 kB  a.pdf → /srv/box/invoices/a.pdf\n"))
      #expect(lines.output.contains("✗ rejected   photos         1.2 kB  b.exe (type: this zone takes pictures)\n"))
      let following = try rig.start("history", "--json", "--follow", "photos")
      let first: Receipt = try decoded(await following.line())
      #expect(first.name == "b.exe")
      zones.add(.sample("c.pdf"))
      zones.add(.sample("d.jpg", zone: "photos"))
      let line = try await following.line()
      #expect(line?.contains(#""sha256":null"#) == true)
      let second: Receipt = try decoded(line)
      #expect(second == .sample("d.jpg", zone: "photos"))
      following.send(2)
      #expect(try await following.end().status == 128 + 2)
      let since = try await rig.tool("history", "--since", "today", "--json")
      #expect(since.status == 0)
      #expect(since.output.isEmpty)
    }
  }

  @Test func `rejects shows what was refused and not delivered since`() async throws {
    let zones = ScriptedZones()
    let reason = Receipt.Reason(code: .type, message: "this zone takes only PDF")
    let (kept, retried) = ("01kk0000000000000000000001", "01kk0000000000000000000002")
    zones.add(.sample("kept", id: kept, outcome: .rejected, reason: reason))
    zones.add(.sample("retried", id: retried, outcome: .rejected, reason: reason))
    zones.add(.sample("fine", id: "01kk0000000000000000000003"))
    zones.add(.sample("retried", id: retried))
    try await ControlRig.run(zones) { rig in
      let result = try await rig.tool("rejects")
      #expect(result.output == "\(kept)  ✗ rejected   invoices       1.2 kB  kept (type: this zone takes only PDF)\n")
      let json = try await rig.tool("rejects", "--json", "photos")
      #expect(json.output.isEmpty)
    }
  }

  @Test func `verbs for single drops act on each drop, and report a refusal`() async throws {
    let zones = ScriptedZones()
    let (a, b) = ("01kk0000000000000000000001", "01kk0000000000000000000002")
    try await ControlRig.run(zones) { rig in
      #expect(try await rig.tool("retry", a, b).status == 0)
      #expect(try await rig.tool("undo", a.uppercased()).status == 0)
      #expect(try await rig.tool("release", b).status == 0)
      #expect(zones.requests == ["retry \(a)", "retry \(b)", "undo \(a)", "release \(b)"])
      zones.refuse(with: .notPossible(id: a, message: "no drop has this id"))
      let refused = try await rig.tool("retry", a)
      #expect(refused.status == 1)
      #expect(refused.errors == "dropzone: \(a): no drop has this id\n")
    }
  }

  @Test func `pause, resume and reload reach the daemon`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      #expect(try await rig.tool("pause", "invoices", "photos").status == 0)
      #expect(try await rig.tool("resume", "photos").status == 0)
      #expect(try await rig.tool("reload").status == 0)
      #expect(zones.requests == ["pause invoices photos", "resume photos", "reload"])
      zones.refuse(with: .configuration("/etc/dropzone/zones/a.zone:3: no key 'Quite'; did you mean 'Quiet'?"))
      let refused = try await rig.tool("reload")
      #expect(refused.status == 1)
      #expect(
        refused.errors
          == "dropzone: the old configuration stays in force: /etc/dropzone/zones/a.zone:3: no key 'Quite'; did you mean 'Quiet'?\n"
      )
    }
  }

  @Test func `wait exits with 0 once nothing is left to do, and with 1 at the timeout`() async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      #expect(try await rig.tool("wait").status == 0)
      zones.settle(false)
      zones.publish(ZoneStatus.sample("photos").targeted(by: "x.jpg"))
      let result = try await rig.tool("wait", "--timeout", "50ms")
      #expect(result.status == 1)
      #expect(result.errors == "dropzone: photos: 1 staged, 0 in hand\n")
    }
  }

  @Test func `explain shows the result of each rule`() async throws {
    try await ControlRig.run { rig in
      let result = try await rig.tool("explain", "/srv/drop/./invoices//a.pdf")
      #expect(result.status == 0)
      #expect(
        result.output == """
            zone      invoices
            location  a.pdf
            state     staged, waiting for quiet: quiet for 0.4 s more
            evidence  lease
            claimed   application/pdf
          ✓ Names     every name
          ? Types     application/pdf

          """)
      let json = try await rig.tool("explain", "--json", "/srv/drop/invoices/a.pdf")
      #expect(json.output.contains(#""passes":null"#))
      let elsewhere = try await rig.tool("explain", "/etc/hostname")
      #expect(elsewhere.status == 1)
      #expect(elsewhere.output == "/etc/hostname: text/plain (proved)\n")
      #expect(elsewhere.errors == "dropzone: '/etc/hostname' is not in any zone\n")
    }
  }

  @Test(.enabled(if: Machine.isRoot, "only root can be another user"))
  func `a user who may not make changes is told who may`() async throws {
    let zones = ScriptedZones()
    let (nobody, admins) = ("65534", "4321")
    let rights = ControlRights(owner: 4_242, admins: 4_321)
    try await ControlRig.run(zones, rights: rights, openToAll: true) { rig in
      let tool = try await rig.openTool()
      func run(_ groups: String, _ words: [RawPath]) async throws -> Program.Result {
        let identity = ["--reuid=\(nobody)", "--regid=\(nobody)", groups].map { RawPath($0) }
        return try await Program.run(
          "/usr/bin/setpriv", identity + [tool, "--socket", rig.path] + words)
      }
      let read = try await run("--clear-groups", ["status"])
      try #require(read.status == 0, "\(read.errors)")
      for words: [RawPath] in [["pause", "photos"], ["reload"], ["retry", "01kk0000000000000000000001"]] {
        let refused = try await run("--clear-groups", words)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("only root, the daemon's user and members of dropzone-admin may do this"))
      }
      #expect(zones.requests.isEmpty)
      // Allowed by a supplementary group, which SO_PEERCRED alone does not show.
      #expect(try await run("--groups=\(admins)", ["pause", "photos"]).status == 0)
      #expect(zones.requests == ["pause photos"])
    }
  }

  private func decoded<Value: Decodable>(_ line: String?) throws -> Value {
    try VarlinkJSON.decode(Value.self, from: Array((line ?? "").utf8))
  }
}
