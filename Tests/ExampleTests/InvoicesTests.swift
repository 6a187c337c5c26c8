import Support
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Example.areBuilt, "\(Example.howToBuild)")) struct InvoicesTests {
  private func pdf(title: String) -> String {
    "%PDF-1.4\n1 0 obj<</Title (\(title))>>endobj\ntrailer<</Info 1 0 R>>\n%%EOF\n"
  }

  @Test func `invoices are accepted or refused one by one, with a reason`() async throws {
    try await Example.run("Invoices") { program, _ in
      try await program.put("lamps.json", #"{"number": "7", "cents": 1900}"#)
      #expect(try await program.control.wait())
      try await program.put("again.json", #"{"number": "7", "cents": 1900}"#)
      try await program.put("nothing.json", #"{"number": "8", "cents": 0}"#)
      try await program.put("order.json", #"{"cents": 5}"#)
      try await program.put("chairs.pdf", pdf(title: "Invoice 9, 500 cents"))
      try await program.put("letter.pdf", pdf(title: "Dear customer"))
      try await program.shell("cp /bin/true drop/program.pdf")
      #expect(try await program.control.wait())
      let outcomes = try await program.outcomes()
      #expect(outcomes["lamps.json"] == "delivered" && program.holds("box/lamps.json"))
      #expect(outcomes["chairs.pdf"] == "delivered" && program.holds("box/chairs.pdf"))
      #expect(outcomes["again.json"] == "rejected: 7 is already paid")
      #expect(outcomes["nothing.json"] == "rejected: there is nothing to pay")
      #expect(outcomes["order.json"] == "rejected: Invoice: CodableRepresentation: 'number' is missing")
      #expect(outcomes["letter.pdf"] == "rejected: its title is not like 'Invoice 2024-7, 1900 cents'")
      #expect(outcomes["program.pdf"]?.contains("its name says application/pdf") == true)
      #expect(program.holds("box.rejects/letter.pdf.reason.json"))
    }
  }
}
