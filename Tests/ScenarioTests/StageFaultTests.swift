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
}
