import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Example.areBuilt, "\(Example.howToBuild)")) struct ExampleTests {
  @Test(arguments: ["Invoices", "Kanban", "DropZoneHighlight"])
  func `the commands in its first lines work`(name: String) async throws {
    try await Example.run(name) { program, example in
      #expect(!example.drops.isEmpty)
      for drop in example.drops {
        #expect(try await example.drop(drop, in: program.scratch) == .code(0), "\(drop)")
        #expect(try await program.control.wait())
      }
      let outcomes = try await program.outcomes()
      #expect(!outcomes.isEmpty)
    }
  }
}
