import DropEngine
import DropSystem
import DropZones
import Support
import Testing

/// Checks every type in the shared MIME database through the public interface.
@Suite(.timeLimit(.minutes(3))) struct ConformanceTests {
  private let database = MIMEDatabase.shared
  private var types: [String] { database.hierarchy.types.sorted() }

  @Test func `each type conforms to the types that GIO says`() throws {
    let types = types
    #expect(types.count > 500)
    let known = try types.map { try #require(ContentType($0), "\($0)") }
    let parents = Set(types.flatMap { database.hierarchy.supertypes(of: $0) }).union([.plainText, .octetStream])
    let indexed = parents.compactMap { types.firstIndex(of: $0) }
    var disagreements: [String] = []
    for index in known.indices {
      // Compare with all types that have subtypes, and with a varying sample of the others.
      for other in indexed + stride(from: index % 23, to: types.count, by: 23) {
        let answer = known[index].conforms(to: known[other])
        if answer != database.isType(types[index], a: types[other]) {
          disagreements.append("\(types[index]) a \(types[other]): \(answer)")
        }
      }
    }
    #expect(disagreements.isEmpty)
  }

  @Test func `each alias refers to its type`() throws {
    var count = 0
    for type in types {
      for alias in database.hierarchy.aliases(of: type) {
        count += 1
        #expect(ContentType(alias) == ContentType(type), "\(alias)")
        #expect(database.isType(alias, a: type), "\(alias)")
        #expect(ContentType(type)?.tags[.mimeType]?.contains(alias) == true, "\(alias)")
      }
    }
    #expect(count > 100)
  }

  @Test func `supertypes are all other types that a type conforms to`() throws {
    let groups = PublicIdentifiers.all.compactMap { ContentType($0) }
    for name in stride(from: 0, to: types.count, by: 9).map({ types[$0] }) {
      let type = try #require(ContentType(name))
      let supertypes = type.supertypes
      #expect(!supertypes.contains(type))
      for other in supertypes { #expect(type.conforms(to: other), "\(type) a \(other)") }
      for group in groups where group != type {
        #expect(supertypes.contains(group) == type.conforms(to: group), "\(type) a \(group)")
      }
    }
  }

  @Test func `the type for an extension is the one that GIO finds`() throws {
    for name in types {
      guard let suffix = ContentType(name)?.preferredFilenameExtension else { continue }
      let type = try #require(ContentType(filenameExtension: suffix, conformingTo: .item))
      let claims = database.claims(of: RawPath("x." + suffix))
      #expect(claims.contains(type.identifier) || claims.isEmpty, "\(suffix): \(type), GIO says \(claims)")
    }
  }

  @Test func `groups include their types and subgroups`() {
    #expect(ContentType.png.conforms(to: .image) && ContentType.svg.conforms(to: .image))
    #expect(ContentType.svg.conforms(to: .xml) && ContentType.svg.conforms(to: .text))
    #expect(ContentType.image.conforms(to: .data) && ContentType.image.conforms(to: .item))
    #expect(ContentType.movie.conforms(to: .audiovisualContent) && !ContentType.audiovisualContent.conforms(to: .movie))
    #expect(ContentType.script.conforms(to: .sourceCode) && ContentType.script.conforms(to: .text))
    #expect(ContentType.archive.conforms(to: .data) && ContentType.zip.conforms(to: .archive))
    #expect(ContentType.epub.conforms(to: .archive))
    #expect(!ContentType.data.conforms(to: .image) && !ContentType.item.conforms(to: .data))
    #expect(ContentType.directory.conforms(to: .item) && !ContentType.directory.conforms(to: .data))
    #expect(ContentType.image.isSupertype(of: .png) && !ContentType.png.isSupertype(of: .png))
  }
}
