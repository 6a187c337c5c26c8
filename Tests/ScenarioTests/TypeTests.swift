import DropEngine
import Support
import Testing

/// Content decides; a name may refine what content cannot tell apart, and never launders.
@Suite struct TypeTests {
  /// Checks what a zone with a list of types took and what it refused for its type.
  private func run(
    _ scenario: String, taken: [String], refused: [String], either: [String] = [],
    at location: SourceLocation = #_sourceLocation, _ more: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) async throws {
    try await Rig.run(scenario) { outcome in
      let receipts = outcome.receipts
      for name in taken {
        let receipt = outcome.receipt(of: name)
        #expect(receipt?.outcome == .delivered, "\(name) is taken\n\(outcome.story)", sourceLocation: location)
      }
      for name in refused {
        let receipt = outcome.receipt(of: name)
        #expect(
          receipt?.outcome == .rejected && receipt?.reason?.code == .type,
          "\(name) is refused for its type\n\(outcome.story)",
          sourceLocation: location)
        #expect(
          receipt?.type.map { receipt?.reason?.message.contains($0) == true } == true,
          "the reason of \(name) names the type found\n\(outcome.story)", sourceLocation: location)
      }
      #expect(
        receipts.map(\.location).sorted() == (taken + refused + either).sorted(), "\(outcome.story)",
        sourceLocation: location)
      more(outcome)
      outcome.expectInvariants(payloads: taken.count + refused.count + either.count, at: location)
    }
  }

  @Test func `S118 an office document is known by what its archive holds, not by its name`() async throws {
    try await run("S118", taken: ["ms.docx", "other.docx"], refused: ["plain.docx"], either: ["noext"])
  }

  @Test func `S119 an encrypted office file is not taken for what its name says`() async throws {
    try await run("S119", taken: [], refused: ["secret.docx"]) { outcome in
      #expect(outcome.receipts.first?.type?.contains("ole") == true, "\(outcome.story)")
    }
  }

  @Test func `S121 JSON is known in all its forms and not by name alone`() async throws {
    try await run("S121", taken: ["a.json", "b.json", "bom.json"], refused: ["c.json", "d.json"]) { outcome in
      #expect(outcome.receipt(of: "c.json")?.type?.contains("ndjson") == true, "\(outcome.story)")
    }
  }

  @Test func `S122 mail is known by its header block`() async throws {
    try await run("S122", taken: ["a.eml", "b.eml"], refused: ["d.eml"], either: ["c.eml"])
  }

  @Test func `S124 sound is told from film by the brands of its container`() async throws {
    try await run("S124", taken: ["a.m4a"], refused: ["c.mp4"], either: ["b.m4a"])
  }

  @Test func `S125 HEIC and AVIF are pictures`() async throws {
    try await run("S125", taken: ["a.heic", "b.heic", "c.avif"], refused: [], either: ["d.avif"]) { outcome in
      #expect(outcome.receipt(of: "d.avif")?.type != "video/quicktime", "\(outcome.story)")
    }
  }

  @Test func `S127 an e-book is known wherever its mimetype member lies`() async throws {
    try await run("S127", taken: ["good.epub", "late.epub"], refused: ["no.epub"])
  }

  // DESIGN: guesses of programming languages fall to text/plain, and narrow by name to theirs.
  @Test func `S128 a text name does not launder a script or a page`() async throws {
    try await run("S128", taken: ["a.txt"], refused: ["b.txt", "c.txt", "d.css", "e.py"])
  }

  @Test func `S130 printable text is text with every version of libmagic, and the version is told`() async throws {
    try await run("S130", taken: ["zeros.txt"], refused: ["nul.bin"]) { outcome in
      #expect(outcome.status?.daemon.libmagic.isEmpty == false, "\(outcome.story)")
    }
  }

  @Test func `S131 signatures far from the start are found, and big files not read`() async throws {
    try await run("S131", taken: ["a.dcm", "b.iso", "c.tar"], refused: ["d.raw"])
  }
}
