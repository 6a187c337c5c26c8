import DropEngine
import Support
import Testing

/// Tests that the content decides, and that a name may only refine what the content cannot distinguish.
@Suite struct TypeTests {
  /// Checks which files a zone with a list of types accepted, and which it refused because of their type.
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
          "\(name) is refused because of its type\n\(outcome.story)",
          sourceLocation: location)
        #expect(
          receipt?.type.map { receipt?.reason?.message.contains($0) == true } == true,
          "the reason of \(name) names its type\n\(outcome.story)", sourceLocation: location)
      }
      #expect(
        receipts.map(\.location).sorted() == (taken + refused + either).sorted(), "\(outcome.story)",
        sourceLocation: location)
      more(outcome)
      outcome.expectInvariants(payloads: taken.count + refused.count + either.count, at: location)
    }
  }

  @Test func `S118 an office document is recognised by the content of its archive, not by its name`() async throws {
    try await run("S118", taken: ["ms.docx", "other.docx"], refused: ["plain.docx"], either: ["noext"])
  }

  @Test func `S119 an encrypted office file does not get the type that its name claims`() async throws {
    try await run("S119", taken: [], refused: ["secret.docx"]) { outcome in
      #expect(outcome.receipts.first?.type?.contains("ole") == true, "\(outcome.story)")
    }
  }

  @Test func `S121 JSON is recognised in all its forms, and not by its name alone`() async throws {
    try await run("S121", taken: ["a.json", "b.json", "bom.json"], refused: ["c.json", "d.json"]) { outcome in
      #expect(outcome.receipt(of: "c.json")?.type?.contains("ndjson") == true, "\(outcome.story)")
    }
  }

  @Test func `S122 mail is recognised by its header`() async throws {
    try await run("S122", taken: ["a.eml", "b.eml"], refused: ["d.eml"], either: ["c.eml"])
  }

  @Test func `S124 audio and video are distinguished by the brands of their container`() async throws {
    try await run("S124", taken: ["a.m4a"], refused: ["c.mp4"], either: ["b.m4a"])
  }

  @Test func `S125 HEIC and AVIF are pictures`() async throws {
    try await run("S125", taken: ["a.heic", "b.heic", "c.avif"], refused: [], either: ["d.avif"]) { outcome in
      #expect(outcome.receipt(of: "d.avif")?.type != "video/quicktime", "\(outcome.story)")
    }
  }

  @Test func `S127 an e-book is recognised wherever its mimetype member is`() async throws {
    try await run("S127", taken: ["good.epub", "late.epub"], refused: ["no.epub"])
  }

  // Guesses of programming languages become text/plain, which the name may narrow.
  @Test func `S128 a script or a web page with a text name is still recognised`() async throws {
    try await run("S128", taken: ["a.txt"], refused: ["b.txt", "c.txt", "d.css", "e.py"])
  }

  @Test func `S130 printable text is text with every version of libmagic, and the version is published`() async throws {
    try await run("S130", taken: ["zeros.txt"], refused: ["nul.bin"]) { outcome in
      #expect(outcome.status?.daemon.libmagic.isEmpty == false, "\(outcome.story)")
    }
  }

  @Test func `S131 signatures far from the start are found, and big files are not read completely`() async throws {
    try await run("S131", taken: ["a.dcm", "b.iso", "c.tar"], refused: ["d.raw"])
  }
}
