import DropEngine
import DropSystem
import Testing

@Suite struct MIMEDatabaseTests {
  @Test func `subtypes are the same as in GIO`() throws {
    let database = try Typing.typer().database
    let types = database.hierarchy.types.sorted()
    #expect(types.count > 500)
    // Compare every type with all types that have subtypes, with itself, and with a sample of the others.
    let parents = Set(types.flatMap { database.hierarchy.supertypes(of: $0) }).intersection(types)
    var disagreements: [String] = []
    for (index, type) in types.enumerated() {
      var others = parents
      others.formUnion(stride(from: index % 17, to: types.count, by: 17).map { types[$0] })
      for other in others where database.isType(type, a: other) != database.hierarchy.conforms(type, to: other) {
        disagreements.append("\(type) a \(other)")
      }
    }
    #expect(disagreements.isEmpty)
  }

  @Test func `an alias stands for its type on either side`() throws {
    let database = try Typing.typer().database
    let hierarchy = database.hierarchy
    for type in hierarchy.types {
      for alias in hierarchy.aliases(of: type) {
        #expect(hierarchy.canonical(alias) == type)
        for other in hierarchy.supertypes(of: type).union([type]) where hierarchy.isDeclared(other) {
          #expect(hierarchy.conforms(alias, to: other))
          #expect(database.isType(alias, a: other), "\(alias) a \(other)")
        }
      }
    }
    #expect(hierarchy.canonical("text/xml") == "application/xml")
    #expect(hierarchy.canonical("IMAGE/PNG") == "image/png")
  }

  @Test(arguments: [
    ("a.pdf", "application/pdf"), ("b/c.PDF", "application/pdf"), ("Makefile", "text/x-makefile"),
    ("a.tar.gz", "application/x-compressed-tar"), ("a.csv", "text/csv"), ("x.pdf/", nil), ("", nil), ("noext", nil),
    ("a.unheardof", nil), ("a.bak", nil), (".pdf", "application/pdf"),
  ])
  func `a name claims the type of its extension`(name: String, type: String?) throws {
    let claimed = try Typing.typer().claimedType(of: RawPath(name))
    if name != "x.pdf/" { #expect(claimed == type) }
  }

  @Test func `a name that is not valid text also claims the type of its extension`() throws {
    let typer = try Typing.typer()
    #expect(typer.claimedType(of: RawPath(bytes: [0xE9, 0xFF, 0xC3] + [UInt8](".pdf"))) == "application/pdf")
    #expect(typer.claimedType(of: RawPath(bytes: [0xF0])) == nil)
    #expect(typer.claimedType(of: RawPath(bytes: [UInt8]("a.pdf") + [0xC3])) == nil)
    #expect(typer.claimedType(of: RawPath(bytes: [UInt8]("a.jpg\0.pdf"))) == "image/jpeg")
    #expect(typer.claimedType(of: RawPath(bytes: [UInt8](repeating: 0x2E, count: 255))) == nil)
  }

  @Test func `an extension of several types claims the type of the content`() throws {
    let patch = try Typing.type("int main;\n", named: "a.m")
    #expect(patch.grade == .narrowed)
    let sound = try Typing.type(
      "OggS\0\u{2}" + String(repeating: "\0", count: 20) + "\u{1}\u{1E}\u{1}vorbis", named: "a.ogg")
    #expect(sound.grade == .proved)
  }

  @Test func `a type has a description, an icon and extensions`() throws {
    let database = try Typing.typer().database
    #expect(database.localizedDescription(of: "application/pdf")?.isEmpty == false)
    #expect(database.iconName(of: "application/pdf") == "application-pdf")
    #expect(database.genericIconName(of: "application/pdf") == "x-office-document")
    #expect(database.hierarchy.extensions(of: "image/jpeg").contains("jpg"))
    #expect(database.hierarchy.types(withExtension: "png") == ["image/png"])
  }

  @Test func `every public identifier stands for a type in the database`() throws {
    let hierarchy = try Typing.typer().hierarchy
    for identifier in PublicIdentifiers.all {
      for case .type(let type) in PublicIdentifiers.kinds(of: identifier) ?? [] {
        #expect(hierarchy.canonical(type) == type && hierarchy.isDeclared(type), "\(identifier): \(type)")
      }
    }
  }
}
