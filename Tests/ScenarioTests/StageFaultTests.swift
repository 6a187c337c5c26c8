import DropEngine
import Support
import Testing

/// What is staged and waits: that nothing is forgotten, and that nobody waits for it who need not.
@Suite struct StageFaultTests {
  @Test func `lengths and times that no number holds end nobody`() async throws {
    try await Rig.run("F49-beyond-numbers") { outcome in
      try await outcome.expectFiles(["d/n.txt": "say n 3000"], in: "X")
      #expect(outcome.entries("Z").isEmpty, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1, box: "X", withdrawn: 2)
    }
  }

  @Test func `a file is looked at as soon as the temporary file beside it is gone`() async throws {
    try await Rig.run("F50-temporary-gone") { outcome in
      try outcome.expectFinished("x.txt", within: 5, of: "removed")
      try outcome.expectFinished("y.odt", within: 5, of: "removed")
      try await outcome.expectFiles(["x.txt": "say x 3000", "y.odt": "say y 3000"])
      outcome.expectInvariants(payloads: 2)
    }
  }

  @Test func `an event whose directory cannot be opened for a moment is not lost`() async throws {
    try await Rig.run("F51-event-without-descriptors") { outcome in
      try outcome.expectFinished("d/n.txt", within: 10, of: "dropped")
      #expect(outcome.zone?.reason == nil, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }

  @Test func `what is asked again and waits for the box does not light the zone`() async throws {
    try await Rig.run("F52-box-away-when-asked-again") { outcome in
      let meanwhile = outcome.text("meanwhile").filter { !$0.isWhitespace }
      #expect(meanwhile.contains(#""isTargeted":false"#), "\(outcome.story)")
      try await outcome.expectFiles(["n.txt": "say n 3000"])
      outcome.expectInvariants(payloads: 1)
    }
  }
}
