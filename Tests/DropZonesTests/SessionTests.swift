import DropEngine
import Support
import Testing

/// Tests of the sessions and targeted states that a Swift program receives.
@Suite(.timeLimit(.minutes(2))) struct SessionTests {
  @Test func `each session goes through its phases, and ends once`() async throws {
    try await TestDaemonRig.with("sessions") { rig in
      for (name, end) in [
        ("a", "ended(DropZones.DropOperation.move)"), ("bad", "ended(DropZones.DropOperation.forbidden)"),
      ] {
        let before = rig.lines.count
        // The file is written in place, so it lights the zone until it is quiet.
        try await rig.shell("echo > drop/\(name)")
        #expect(try await rig.control.wait())
        #expect(try await rig.until { rig.lines.dropFirst(before).contains { $0.contains(end) } })
        let isTaken = name == "a"
        if isTaken { #expect(try await rig.until { rig.lines.last?.contains("dataTransferCompleted") == true }) }
        let lines = Array(rig.lines.dropFirst(before))
        let sessions = lines.filter { $0.hasPrefix("session ") }.map { $0.split(separator: " ").map(String.init) }
        let phases = sessions.map { $0[2] }
        #expect(Set(sessions.map { $0[1] }).count == 1)
        #expect(phases.first == "entering")
        #expect(phases.filter { $0 == end }.count == 1)
        #expect(
          phases.filter { $0 != "active" } == ["entering", "exiting", end] + (isTaken ? ["dataTransferCompleted"] : []))
        #expect(lines.filter { $0.hasPrefix("targeted") } == ["targeted true", "targeted false"])
      }
      // A payload that its sender removes ends the session with cancel.
      try await rig.shell("mkfifo go; (exec 3> drop/gone; printf hi >&3; cat go) > /dev/null 2>&1 &")
      #expect(try await rig.until { rig.lines.last?.hasSuffix(" gone") == true })
      try await rig.shell("rm drop/gone; echo > go")
      #expect(try await rig.until { rig.lines.last?.contains("ended(") == true })
      #expect(rig.lines.last?.contains("ended(DropZones.DropOperation.cancel)") == true)
    }
  }
}
