import DropEngine
import DropZones
import Testing

/// Tests of the types of payloads in a zone that declares its own types.
@Suite struct DeclaredTypeTests {
  private static let card = ContentType(
    exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card"])

  private func declaredType(
    _ type: String, _ name: DropPath, claimed: String? = nil, _ grade: DropEngine.Grade = .proved,
    among declared: [ContentType] = [card]
  ) -> DeclaredType {
    DeclaredType(TypedContent(type: type, claimedType: claimed, grade: grade), name: name, among: declared)
  }

  @Test func `content of the parent type, with a name of the type, has the type`() {
    let declared = declaredType("application/json", "Doing/7.CARD")
    #expect(declared.type == Self.card && declared.claimedType == Self.card && declared.grade == .narrowed)
  }

  @Test func `other content with such a name contradicts the type`() {
    let declared = declaredType("image/png", "7.card")
    #expect(declared.type == .png && declared.claimedType == Self.card && declared.grade == .contradicted)
  }

  @Test func `content of the parent type, with another name, has the parent type`() {
    let declared = declaredType("application/json", "7.json", claimed: "application/json")
    #expect(declared.type == .json && declared.claimedType == .json && declared.grade == .proved)
  }

  @Test func `content of the MIME type has the type, with any name`() {
    let drawing = ContentType(exportedAs: "com.example.drawing", mimeType: "image/svg+xml")
    let declared = declaredType("image/svg+xml", "a.txt", claimed: "text/plain", among: [.json, drawing])
    #expect(declared.type == drawing && declared.grade == .proved)
  }

  @Test func `content that says nothing has a declared type with no other parent`() {
    let blob = ContentType(exportedAs: "com.example.blob", filenameExtensions: ["blob"])
    let declared = declaredType("application/octet-stream", "a.blob", .unproved, among: [blob])
    #expect(declared.type == blob && declared.grade == .narrowed)
  }

  @Test func `the longest extension counts, whether or not it was declared with a dot`() {
    let types = [
      ContentType(exportedAs: "com.example.gz", filenameExtensions: [".gz"]),
      ContentType(exportedAs: "com.example.log", filenameExtensions: [".Log.gz"]),
    ]
    #expect(declaredType("application/gzip", "a.LOG.gz", among: types).type.identifier == "com.example.log")
    #expect(
      declaredType("application/gzip", DropPath(bytes: [0xFF] + Array(".gz".utf8)), among: types).type == types[0])
    #expect(declaredType("application/gzip", "gz", among: types).type == .gzip)
    #expect(ContentType(claimedBy: "a.log.gz", among: types) == types[1])
    #expect(ContentType(claimedBy: "a.png", among: types) == .png && ContentType(claimedBy: "a", among: types) == nil)
  }
}
