import DropEngine
import Testing

@Suite struct TypePatternTests {
  private let hierarchy = TypeDecisionTests.hierarchy

  @Test func `a pattern is a type, a family, or a type with its subtypes`() throws {
    let exact = try TypePattern("image/jpg", in: hierarchy)
    #expect(exact.meaning == .exactly("image/jpeg") && exact.description == "image/jpg")
    #expect(exact.matches("image/jpeg", in: hierarchy) && !exact.matches("image/tiff", in: hierarchy))
    #expect(try TypePattern("Image/*", in: hierarchy).matches("image/x-raw", in: hierarchy))
    #expect(try TypePattern("image/tiff+", in: hierarchy).matches("image/x-raw", in: hierarchy))
    #expect(try TypePattern("public.tiff", in: hierarchy).matches("image/x-raw", in: hierarchy))
    #expect(try TypePattern("public.audio", in: hierarchy).matches("audio/ogg", in: hierarchy))
  }

  @Test func `a pattern for a type includes the types that conform to it`() {
    #expect(TypePattern(conformingTo: "image/tiff", in: hierarchy).matches("image/x-raw", in: hierarchy))
    #expect(TypePattern(conformingTo: "public.data", in: hierarchy).matches("image/x-raw", in: hierarchy))
    #expect(!TypePattern(conformingTo: "image/x-raw", in: hierarchy).matches("image/tiff", in: hierarchy))
  }

  @Test func `for unknown types, the closure is called`() throws {
    #expect(throws: TypePatternError.self) { try TypePattern("image/x-odd", in: hierarchy) }
    let pattern = try TypePattern("image/x-odd", in: hierarchy) { $0 == "image/x-odd" }
    #expect(pattern.matches("image/x-odd", in: hierarchy))
    #expect(
      try TypePattern("image/x-odd+", in: hierarchy) { $0 == "image/x-odd" }.meaning
        == .conforming([.type("image/x-odd")]))
  }

  @Test func `an error shows the text escaped`() {
    let error = #expect(throws: TypePatternError.self) { try TypePattern("image/\u{1B}[31m", in: hierarchy) }
    #expect(error?.description.contains("\u{1B}") == false)
    #expect(error?.description.contains("image/\\u{1B}[31m") == true)
  }

  @Test func `an identifier leads to its type and back`() {
    for identifier in PublicIdentifiers.all {
      guard case .type(let type)? = PublicIdentifiers.kinds(of: identifier)?.first else { continue }
      guard let back = PublicIdentifiers.identifier(of: type) else { continue }
      #expect(PublicIdentifiers.kinds(of: back) == [.type(type)])
    }
    #expect(PublicIdentifiers.identifier(of: "application/pdf") == "com.adobe.pdf")
  }
}
