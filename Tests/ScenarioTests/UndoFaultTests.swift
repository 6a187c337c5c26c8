import DropEngine
import Support
import Testing

/// Tests of faults while a delivery is undone: before the payload has its own name again nothing has happened, and after
/// that the undo is permanent.
@Suite struct UndoFaultTests {
  @Test(arguments: ["B", "X"])
  func `the steps after a delivery's return are retried until they succeed`(box: String) async throws {
    try await Rig.run("F29-undo-not-finished", variant: "box=\(box)") { outcome in
      try expectBack(outcome, box: box)
      #expect(outcome.text("undo").contains("it is back in the zone"), "\(outcome.text("undo"))")
      #expect(outcome.text("undo.again").contains("it is being put back already"), "\(outcome.text("undo.again"))")
    }
  }

  @Test(arguments: ["B", "X"])
  func `a return that fails leaves the delivery unchanged, and nothing in the zone`(box: String) async throws {
    try await Rig.run("F30-undo-not-begun", variant: "box=\(box)") { outcome in
      try expectBack(outcome, box: box)
      #expect(outcome.text("undo").contains("cannot be put back"), "\(outcome.text("undo"))")
      #expect(outcome.text("between") == "", "nothing in the zone: \(outcome.text("between"))")
      #expect(!outcome.text("history").contains("undone"), "\(outcome.text("history"))")
      #expect(outcome.text("undo.again") == "", "\(outcome.text("undo.again"))")
    }
  }

  @Test(arguments: ["B", "X"])
  func `a return that the next daemon cannot finish at once is not mistaken for a new drop`(box: String) async throws {
    try await Rig.run("F31-undo-recovered", variant: "box=\(box)") { outcome in
      try expectBack(outcome, box: box, exits: [0, 137, 0, 0])
    }
  }

  private func expectBack(_ outcome: Outcome, box: String, exits: [Int32]? = nil) throws {
    outcome.expectLeft(["n.txt"])
    #expect(outcome.receipts.map(\.outcome) == [.undone], "\(outcome.story)")
    outcome.expectInvariants(payloads: 1, exits: exits, box: box)
  }
}
