import DropEngine
import DropSystem
import Testing

@Suite struct MIMEDatabaseTests {
  @Test func `each question of kind is answered as GIO answers it`() throws {
    let database = try Typing.typer().database
    let types = database.hierarchy.types.sorted()
    #expect(types.count > 500)
    // Every type against what has kinds at all, and against itself; of the rest a part of each.
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

  @Test func `content is what GIO says it is`() throws {
    let database = try Typing.typer().database
    var random = Seeded(seed: 7)
    var wrong: [String] = []
    func compare(_ head: [UInt8]) {
      let (ours, theirs) = (database.type(of: head), database.guess(of: head))
      if ours != theirs { wrong.append("\(theirs), not \(ours): \(head.prefix(24))") }
    }
    // Real files, and what becomes of them when they are cut, changed and moved.
    for path in try Self.samples() {
      let file = try FileDescriptor.open(path, .readOnly)
      let head = try file.read(at: 0, count: 64 << 10)
      compare(head)
      compare(Array(head.prefix(Int.random(in: 0...600, using: &random))))
      compare(Array(head.dropFirst(Int.random(in: 0...600, using: &random))))
      var changed = head
      for _ in 0..<4 where !changed.isEmpty {
        changed[Int.random(in: 0..<min(64, changed.count), using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      compare(changed)
    }
    // Every value that the database looks for, at the beginning and where a search goes on.
    let cache = try FileDescriptor.open("/usr/share/mime/mime.cache", .readOnly).read(at: 0, count: 1 << 22)
    for _ in 0..<4000 {
      let place = Int.random(in: 0..<max(1, cache.count - 64), using: &random)
      let piece = Array(cache[place...].prefix(Int.random(in: 1...64, using: &random)))
      compare(piece)
      compare([UInt8](repeating: 0x20, count: Int.random(in: 0...300, using: &random)) + piece)
    }
    #expect(wrong.prefix(20) == [])
  }

  /// Files of many types that every Debian has.
  private static func samples() throws -> [RawPath] {
    var paths: [RawPath] = []
    for directory in ["/usr/bin", "/usr/share/doc", "/usr/share/mime/packages", "/etc", "/usr/lib/x86_64-linux-gnu"] {
      guard var reader = try? Directory.reader(of: directory) else { continue }
      while let name = try reader.next(), paths.count < 2000 {
        let path = RawPath(directory).appending(name)
        if let file = try? FileDescriptor.open(path, [.pathOnly, .noFollow]),
          (try? Sight.look(at: file.number))?.kind == .regular
        {
          paths.append(path)
        }
      }
    }
    return paths
  }

  @Test func `another name stands for the type in either place`() throws {
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
  func `a name claims what its ending says`(name: String, type: String?) throws {
    let claimed = try Typing.typer().claimedType(of: RawPath(name))
    if name != "x.pdf/" { #expect(claimed == type) }
  }

  @Test func `a name that is no text claims by its ending too`() throws {
    let typer = try Typing.typer()
    #expect(typer.claimedType(of: RawPath(bytes: [0xE9, 0xFF, 0xC3] + [UInt8](".pdf"))) == "application/pdf")
    #expect(typer.claimedType(of: RawPath(bytes: [0xF0])) == nil)
    #expect(typer.claimedType(of: RawPath(bytes: [UInt8]("a.pdf") + [0xC3])) == nil)
    #expect(typer.claimedType(of: RawPath(bytes: [UInt8]("a.jpg\0.pdf"))) == "image/jpeg")
    #expect(typer.claimedType(of: RawPath(bytes: [UInt8](repeating: 0x2E, count: 255))) == nil)
  }

  @Test func `an ending that several types share claims the one that the content is`() throws {
    let patch = try Typing.type("int main;\n", named: "a.m")
    #expect(patch.grade == .narrowed)
    let sound = try Typing.type(
      "OggS\0\u{2}" + String(repeating: "\0", count: 20) + "\u{1}\u{1E}\u{1}vorbis", named: "a.ogg")
    #expect(sound.grade == .proved)
  }

  @Test func `a type has a description, an icon and endings`() throws {
    let database = try Typing.typer().database
    #expect(database.localizedDescription(of: "application/pdf")?.isEmpty == false)
    #expect(database.iconName(of: "application/pdf") == "application-pdf")
    #expect(database.genericIconName(of: "application/pdf") == "x-office-document")
    #expect(database.hierarchy.extensions(of: "image/jpeg").contains("jpg"))
    #expect(database.hierarchy.types(withExtension: "png") == ["image/png"])
  }

  @Test func `every public identifier stands for a type of the database`() throws {
    let hierarchy = try Typing.typer().hierarchy
    for identifier in PublicIdentifiers.all {
      for case .type(let type) in PublicIdentifiers.kinds(of: identifier) ?? [] {
        #expect(hierarchy.canonical(type) == type && hierarchy.isDeclared(type), "\(identifier): \(type)")
      }
    }
  }
}

/// Numbers that are the same in every run.
private struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    return mixed ^ mixed >> 27
  }
}
