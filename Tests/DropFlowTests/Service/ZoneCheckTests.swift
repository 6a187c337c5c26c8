import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// What the machine allows for a zone, and which places are mount points.
@Suite(.timeLimit(.minutes(1))) struct ZoneCheckTests {
  private func findings(_ harness: FlowHarness, _ change: (inout ZoneSettings) -> Void = { _ in }) -> [String] {
    var settings = harness.context.settings
    change(&settings)
    return ZoneCheck.findings(of: settings)
  }

  @Test func `a zone that works says where it holds payloads and how it delivers, and nothing is left of the trial`()
    async throws
  {
    try await FlowHarness.with { harness in
      let lines = findings(harness)
      #expect(lines.first?.hasPrefix("file system ") == true)
      #expect(lines.contains("hold: '\(harness.path("B.hold"))'; delivery by rename"))
      for (what, name) in [("box", "B"), ("rejects", "R")] {
        #expect(lines.contains { $0.hasPrefix("\(what) '\(harness.path(name))': writable, ") && $0.hasSuffix(" free") })
      }
      #expect(harness.names("Z").isEmpty && harness.names("B").isEmpty && harness.names("B.hold").isEmpty)
    }
  }

  @Test func `a box on another file system is delivered to by copy`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      #expect(
        findings(harness).contains(
          "hold: '\(harness.path("Z.hold"))'; delivery by copy: the box is on another file system"))
    }
  }

  @Test func `what is missing is said, one line each`() async throws {
    try await FlowHarness.with { harness in
      let none = harness.path("none").description
      #expect(findings(harness) { $0.path = none } == ["the zone '\(none)' is not there: unavailable until it is"])
      let lines = findings(harness) {
        $0.box = none
        $0.handler.command = [none]
      }
      #expect(lines.contains("box '\(none)' is not there; it is made at the start if its parent allows"))
      #expect(lines.last == "OnDrop: '\(none)' cannot be run: the zone will be blocked")
      #expect(findings(harness) { $0.handler.command = ["/bin/true"] }.last == "OnDrop: '/bin/true' can be run")
    }
  }

  @Test func `mount points are remembered over a restart until somebody vouches for what is there`() async throws {
    try await FlowHarness.with { harness in
      let mountPoints = harness.context.mountPoints
      await mountPoints.remember("/srv/a")
      await mountPoints.remember("/srv/b")
      #expect(mountPoints.contains("/srv/a") && !mountPoints.contains("/srv"))
      await mountPoints.forget(["/srv/a", "/srv/none"])
      let later = try MountPoints(harness.ledger)
      #expect(!later.contains("/srv/a") && later.contains("/srv/b"))
    }
  }
}
