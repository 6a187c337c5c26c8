import DropEngine
import DropSystem
import Testing

@Suite struct TypePatternMatchingTests {
  @Test func `a media type means itself, under each of its names`() throws {
    let typer = try Typing.typer()
    #expect(try typer.pattern("text/xml").meaning == .exactly("application/xml"))
    #expect(try typer.pattern("audio/x-m4a").matches("audio/mp4", in: typer.hierarchy))
    #expect(try !typer.pattern("text/plain").matches("text/csv", in: typer.hierarchy))
    #expect(try typer.pattern("text/plain+").matches("text/csv", in: typer.hierarchy))
    #expect(try typer.pattern("image/svg+xml").meaning == .exactly("image/svg+xml"))
    #expect(try typer.pattern("image/svg+xml+").meaning == .conforming([.type("image/svg+xml")]))
  }

  @Test func `a family and an identifier mean many types`() throws {
    let typer = try Typing.typer()
    #expect(try typer.pattern("image/*").matches("image/png", in: typer.hierarchy))
    #expect(try !typer.pattern("image/*").matches("video/mp4", in: typer.hierarchy))
    #expect(try typer.pattern("public.image").matches("image/png", in: typer.hierarchy))
    #expect(try typer.pattern("Public.Image").matches("image/png", in: typer.hierarchy))
    #expect(try typer.pattern("public.text").matches("application/json", in: typer.hierarchy))
    #expect(try typer.pattern("public.archive").matches("application/x-java-archive", in: typer.hierarchy))
    #expect(try typer.pattern("public.data").matches("inode/directory", in: typer.hierarchy) == false)
    #expect(try typer.pattern("public.item").matches("inode/directory", in: typer.hierarchy))
  }

  @Test func `a type that only libmagic identifies is valid`() throws {
    let typer = try Typing.typer()
    #expect(try typer.pattern("application/x-ms-evtx").meaning == .exactly("application/x-ms-evtx"))
    #expect(try typer.pattern("application/x-dosexec").matches("application/x-ms-dos-executable", in: typer.hierarchy))
    #expect(try typer.pattern("application/x-ndjson").meaning == .exactly("application/x-ndjson"))
  }

  @Test(arguments: [
    ("application/pfd", "application/pdf"), ("aplication/pdf", "application/pdf"), ("image/jpgg", nil),
    ("public.imgae", "public.image"), ("com.adobe.pfd", "com.adobe.pdf"), ("pdf", nil), ("*/*", nil), ("*", nil),
    ("", nil),
    ("image/", nil), ("image", nil), ("image/png/x", nil), ("image /png", nil), ("image/p*", nil),
    ("text/plain;q", nil),
    ("text/plian+", "text/plain+"), ("application/x-nobody-has-this", nil),
  ])
  func `an invalid pattern is refused with a suggestion`(text: String, suggestion: String?) throws {
    let typer = try Typing.typer()
    let error = #expect(throws: TypePatternError.self) { try typer.pattern(text) }
    if let suggestion { #expect(error?.suggestion == suggestion) }
    #expect(error?.description.isEmpty == false)
  }

  @Test func `while a payload arrives, its name rules out types that it cannot have`() throws {
    let typer = try Typing.typer()
    func may(_ name: RawPath, _ text: String, _ grades: Set<Grade> = AcceptRules().grades) throws -> Bool {
      typer.mayMatch(name: name, patterns: [try typer.pattern(text)], grades: grades)
    }
    #expect(try may("a.pdf", "application/pdf") && !may("a.jpg", "application/pdf"))
    #expect(try may("noext", "application/pdf") && may("a.bin", "application/pdf"))
    #expect(try may("a.zip", "application/epub+zip"))
    #expect(try may("a.png", "image/*") && !may("a.png", "video/*"))
    #expect(try may("a.csv", "public.text") && !may("a.csv", "public.image"))
    #expect(try may("a.jpg", "application/pdf", [.proved, .contradicted]))
    #expect(typer.mayMatch(claimedType: nil, patterns: [try typer.pattern("application/pdf")]))
    #expect(typer.mayMatch(claimedType: "image/png", patterns: []))
  }

  @Test func `a payload that is accepted in the end was never ruled out before`() throws {
    let typer = try Typing.typer()
    let patterns = try [
      "application/pdf", "image/*", "text/plain", "text/plain+", "public.archive", "application/zip",
      "application/json", "public.movie",
    ].map { text in try typer.pattern(text) }
    let names: [RawPath] = [
      "a", "a.pdf", "a.txt", "a.zip", "a.docx", "a.json", "a.svg", "a.html", "a.ogg", "a.bin", "a.log",
    ]
    for (content, bytes) in RenameAttackTests.contents {
      for name in names {
        let typed = try Typing.type(bytes, named: name)
        for pattern in patterns where typed.grade >= .narrowed && typer.matches(typed, patterns: [pattern]) {
          #expect(typer.mayMatch(name: name, patterns: [pattern]), "\(content) as \(name) for \(pattern)")
        }
      }
    }
  }
}
