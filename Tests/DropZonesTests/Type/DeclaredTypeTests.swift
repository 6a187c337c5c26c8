import DropEngine
import DropZones
import Testing

/// What payloads are to a zone with types of its own.
@Suite struct DeclaredTypeTests {
  private static let card = ContentType(
    exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card"])

  private func told(
    _ type: String, _ name: DropPath, claimed: String? = nil, _ grade: DropEngine.Grade = .proved,
    among declared: [ContentType] = [card]
  ) -> DeclaredType {
    DeclaredType(TypedContent(type: type, claimedType: claimed, grade: grade), name: name, among: declared)
  }

  @Test func `content of the parent under a name of the type is of the type`() {
    let told = told("application/json", "Doing/7.CARD")
    #expect(told.type == Self.card && told.claimedType == Self.card && told.grade == .narrowed)
  }

  @Test func `other content under such a name contradicts it`() {
    let told = told("image/png", "7.card")
    #expect(told.type == .png && told.claimedType == Self.card && told.grade == .contradicted)
  }

  @Test func `content of the parent under another name is of the parent`() {
    let told = told("application/json", "7.json", claimed: "application/json")
    #expect(told.type == .json && told.claimedType == .json && told.grade == .proved)
  }

  @Test func `content of the MIME type is of the type under any name`() {
    let drawing = ContentType(exportedAs: "com.example.drawing", mimeType: "image/svg+xml")
    let told = told("image/svg+xml", "a.txt", claimed: "text/plain", among: [.json, drawing])
    #expect(told.type == drawing && told.grade == .proved)
  }

  @Test func `bytes that say nothing are of a type that says no more of itself`() {
    let blob = ContentType(exportedAs: "com.example.blob", filenameExtensions: ["blob"])
    let told = told("application/octet-stream", "a.blob", .unproved, among: [blob])
    #expect(told.type == blob && told.grade == .narrowed)
  }

  @Test func `the longest ending counts, with or without a dot before it`() {
    let types = [
      ContentType(exportedAs: "com.example.gz", filenameExtensions: [".gz"]),
      ContentType(exportedAs: "com.example.log", filenameExtensions: [".Log.gz"]),
    ]
    #expect(told("application/gzip", "a.LOG.gz", among: types).type.identifier == "com.example.log")
    #expect(told("application/gzip", DropPath(bytes: [0xFF] + Array(".gz".utf8)), among: types).type == types[0])
    #expect(told("application/gzip", "gz", among: types).type == .gzip)
    #expect(ContentType(claimedBy: "a.log.gz", among: types) == types[1])
    #expect(ContentType(claimedBy: "a.png", among: types) == .png && ContentType(claimedBy: "a", among: types) == nil)
  }
}
