import DropEngine
import Support
import Testing

/// Tests that names are treated as bytes, and not as text, options or formats.
@Suite struct NameTests {
  @Test
  func `S103 names that are not valid text arrive unchanged, and are displayed so that the bytes can be recovered`()
    async throws
  {
    try await Rig.run("S103") { outcome in
      let first = RawPath(bytes: Array("caf".utf8) + [0o351, 0x2D, 0o377] + Array(".pdf".utf8))
      let second = RawPath(bytes: Array("caf".utf8) + [0o350, 0x2D, 0o377] + Array(".pdf".utf8))
      try await outcome.expectFiles([first: "pdf bytes 4000", second: "pdf bytez 4100", "ok.pdf": "pdf ok 3000"])
      outcome.expectDelivered([#"caf\xE9-\xFF.pdf"#, #"caf\xE8-\xFF.pdf"#, "ok.pdf"])
      #expect(Set(outcome.runs.map(\.name)) == [first, second, "ok.pdf"], "\(outcome.story)")
      outcome.expectInvariants(payloads: 3)
    }
  }

  @Test func `S104 names with any awkward character reach the handler and the box unchanged`() async throws {
    try await Rig.run("S104") { outcome in
      let names: [RawPath] = [
        "a\nb.pdf", "two  spaces.pdf", "trail ", " lead", "tab\tx", "z,7", "it's", "$(touch pwned)", "%s%n",
        #"back\slash"#, "*",
      ]
      var wanted: [RawPath: Payload] = [:]
      for (index, name) in names.enumerated() { wanted[name] = "say \(index + 1) \((index + 1) * 100)" }
      try await outcome.expectFiles(wanted)
      #expect(Set(outcome.runs.map(\.name)) == Set(names), "\(outcome.story)")
      #expect(outcome.runs.allSatisfy { $0.arguments == 1 }, "\(outcome.story)")
      #expect(
        outcome.runs.allSatisfy { run in run.path.lastComponent.bytes.starts(with: Array(run.id.utf8)) },
        "the name of the path consists of the id\n\(outcome.story)")
      #expect(outcome.text("run-by-name").isEmpty, "something was run because of a name")
      outcome.expectInvariants(payloads: 11)
    }
  }

  @Test(arguments: ["B", "X"], ["accept", "reject"])
  func `S106 names of 255 bytes get another name after a collision`(box: String, verdict: String) async throws {
    try await Rig.run("S106", variant: "box=\(box)", environment: ["VERDICT": verdict]) { outcome in
      let place = verdict == "accept" ? box : box == "B" ? "R" : "RX"
      let long = RawPath(String(repeating: "n", count: 251) + ".pdf")
      let umlauts = RawPath(String(repeating: "ä", count: 125) + ".txt")
      let files = outcome.files(place).filter { !$0.path.bytes.ends(with: ".reason.json") }
      #expect(files.count == 3, "\(outcome.story)")
      #expect(files.contains { $0.path == long && $0.bytes == 10 }, "the clash stays\n\(outcome.story)")
      let other = files.first { $0.path.bytes.starts(with: "nnn".utf8) && $0.path != long }
      #expect(other?.path.bytes.count ?? 256 <= 255 && other?.path.bytes.ends(with: ".pdf") == true, "\(outcome.story)")
      #expect(files.allSatisfy { $0.path.string != nil }, "cut at a character\n\(outcome.story)")
      if verdict == "accept" { #expect(files.contains { $0.path == umlauts }, "\(outcome.story)") }
      #expect(Set(outcome.receipts.map(\.name)) == [long.description, umlauts.description], "\(outcome.story)")
      outcome.expectInvariants(payloads: 2, box: box, foreign: 1)
    }
  }

  @Test(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
  func `S107 a name that is too long for the box is refused, and a path that is too long is left alone`() async throws {
    try await Rig.run("S107") { outcome in
      let name = String(repeating: "w", count: 180) + ".pdf"
      if outcome.receipts(.delivered).isEmpty {
        outcome.expectRefused([name: .boxName])
        let message = outcome.receipts(.rejected).first?.reason?.message ?? ""
        #expect(message.contains("184"), "the name's length: «\(message)»\n\(outcome.story)")
      } else {
        try await outcome.expectContents(["pdf w 3000"])
      }
      let deep = outcome.zone?.staged.first { $0.waiting == .special }
      #expect(deep?.detail.contains("location-too-long") == true, "\(outcome.story)")
      outcome.expectInvariants(payloads: 1)
    }
  }
}
