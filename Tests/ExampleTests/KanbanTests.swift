import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Example.areBuilt, "\(Example.howToBuild)")) struct KanbanTests {
  private let fence = #"{"title": "Paint the fence"}"#

  private func board(_ body: (ZoneProgram) async throws -> Void) async throws {
    try await Example.run("Kanban") { program, _ in try await body(program) }
  }

  @Test func `the column under a card lights up before the card lands`() async throws {
    try await board { program in
      try await program.begin("doing/fence.card", fence)
      #expect(try await program.until { program.lines.last == "● doing  ○ done  ○ todo" })
      #expect(try await program.control.status().zones.first?.isTargeted == true)
      #expect(!program.holds("board/doing/fence.card"))
      try await program.finish()
      #expect(try await program.control.wait())
      #expect(program.holds("board/doing/fence.card") && !program.holds("drop/doing/fence.card"))
      #expect(try await program.until { program.lines.last == "○ doing  ○ done  ○ todo" })
    }
  }

  @Test func `a column with a locked card says why it refuses others, until the locked card is gone`() async throws {
    try await board { program in
      try await program.put("done/party.card", #"{"title": "Party", "isLocked": true}"#)
      #expect(try await program.control.wait())
      #expect(program.holds("board/done/party.card"))
      try await program.begin("done/fence.card", fence)
      #expect(try await program.until { program.lines.last == "○ doing  ⊘ done ('Party' locks done)  ○ todo" })
      #expect(
        try await program.until {
          let zone = try await program.control.status().zones.first
          return zone?.operation == "forbidden" && zone?.reason == "fence.card: 'Party' locks done"
        })
      try await program.finish()
      #expect(try await program.control.wait())
      #expect(!program.holds("board/done/fence.card") && program.holds("board.rejects/done/fence.card"))
      #expect(try await program.outcomes()["done/fence.card"] == "rejected: 'Party' locks done")
      // A card that is complete at once also lights its column.
      try await program.put("done/next.card", fence)
      #expect(try await program.control.wait())
      #expect(program.lines.filter { $0.contains("⊘ done") }.count == 2)
      try await program.shell("rm board/done/party.card; mv board.rejects/done/fence.card drop/done")
      #expect(try await program.control.wait())
      #expect(program.holds("board/done/fence.card"))
    }
  }

  @Test func `moving the file of a card moves the card`() async throws {
    try await board { program in
      try await program.put("todo/fence.card", fence)
      #expect(try await program.control.wait())
      try await program.shell("mv board/todo/fence.card drop/doing")
      #expect(try await program.control.wait())
      #expect(program.holds("board/doing/fence.card") && !program.holds("board/todo/fence.card"))
    }
  }

  @Test func `files that are not cards, or not in a column, are refused`() async throws {
    try await board { program in
      try await program.put("fence.card", fence)
      try await program.put("todo/note.txt", "milk, bread\n")
      try await program.put("todo/other.card", #"{"name": "no title"}"#)
      #expect(try await program.control.wait())
      let outcomes = try await program.outcomes()
      #expect(outcomes["fence.card"] == "rejected: cards go into a column")
      #expect(
        outcomes["todo/note.txt"] == "rejected: its content is text/plain; this zone takes com.example.card")
      #expect(outcomes["todo/other.card"] == "rejected: Card: CodableRepresentation: 'title' is missing")
    }
  }
}
