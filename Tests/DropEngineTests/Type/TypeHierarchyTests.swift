import DropEngine
import Testing

@Suite struct TypeHierarchyTests {
  private let hierarchy = TypeDecisionTests.hierarchy

  @Test func `a type conforms to itself, its parents and theirs`() {
    #expect(hierarchy.conforms("image/svg+xml", to: "image/svg+xml"))
    #expect(hierarchy.conforms("image/svg+xml", to: "text/plain"))
    #expect(hierarchy.conforms("application/gpx+xml", to: "application/xml"))
    #expect(!hierarchy.conforms("application/xml", to: "image/svg+xml"))
  }

  @Test func `all text conforms to plain text, and all files conform to data`() {
    #expect(hierarchy.conforms("text/nobody-knows", to: "text/plain"))
    #expect(hierarchy.conforms("image/jpeg", to: "application/octet-stream"))
    #expect(!hierarchy.conforms("inode/directory", to: "application/octet-stream"))
    #expect(hierarchy.supertypes(of: "text/csv") == ["text/plain", "application/octet-stream"])
  }

  @Test func `cycles in the hierarchy are tolerated`() {
    let circle = TypeHierarchy([
      MIMEFiles(types: Array("a/a\na/b\n".utf8), subclasses: Array("a/a a/b\na/b a/a\na/a a/a\n".utf8))
    ])
    #expect(circle.conforms("a/a", to: "a/b") && circle.conforms("a/b", to: "a/a"))
    #expect(circle.supertypes(of: "a/a") == ["a/b", "application/octet-stream"])
  }

  @Test func `lines in an unknown format are skipped`() {
    let files = MIMEFiles(
      types: [0xFF, 0x0A], aliases: Array("one\na b c\n# d e\n".utf8), subclasses: Array("\n\n x\n".utf8),
      magic: Array("[:]\n[\n]\n[50]\n".utf8), roots: Array("a b\n".utf8), globs: Array("50:a\n::\nx:y:*.[ab]\n".utf8))
    #expect(files.aliases.isEmpty && files.subclasses.isEmpty && files.roots.isEmpty && files.suffixes.isEmpty)
  }

  @Test func `the file of a type has its extensions in order`() {
    let file = """
      <mime-type type="image/jpeg">
        <comment>"*.no"</comment>
        <glob pattern="*.JPG"/>
        <glob pattern="[0-9].vdr"/>
        <glob pattern="*.jpeg" weight="80"/>
        <glob pattern="*.
      </mime-type>
      """
    #expect(MIMEFiles.suffixes(inDescription: Array(file.utf8)) == ["jpg", "jpeg", ""])
    #expect(MIMEFiles.suffixes(inDescription: [0xFF, 0x0A]).isEmpty)
  }

  @Test func `kinds include types, families and other kinds`() {
    #expect(hierarchy.isKind(.family("image"), of: .type("application/octet-stream")))
    #expect(hierarchy.isKind(.family("text"), of: .type("text/plain")))
    #expect(!hierarchy.isKind(.family("image"), of: .type("image/png")))
    #expect(!hierarchy.isKind(.family("inode"), of: .type("application/octet-stream")))
    #expect(hierarchy.isKind(.type("image/svg+xml"), of: .family("image")))
    #expect(hierarchy.isKind(.everything, of: .everything) && !hierarchy.isKind(.everything, of: .family("image")))
  }

  @Test func `an earlier directory takes precedence over a later one`() {
    let mine = MIMEFiles(types: Array("a/mine\n".utf8), aliases: Array("a/x a/mine\n".utf8))
    let system = MIMEFiles(types: Array("a/theirs\n".utf8), aliases: Array("a/x a/theirs\n".utf8))
    #expect(TypeHierarchy([mine, system]).canonical("a/x") == "a/mine")
  }
}
