import DropZones
import FoundationEssentials
import Testing

@Suite struct ContentTypeCodingTests {
  private static func again(_ type: ContentType) throws -> ContentType {
    try JSONDecoder().decode(ContentType.self, from: JSONEncoder().encode(type))
  }

  @Test func `a known type is encoded as its identifier`() throws {
    #expect(
      try String(decoding: JSONEncoder().encode(ContentType.png), as: UTF8.self) == #"{"identifier":"image\/png"}"#)
    for type in [ContentType.png, .archive, .item, .text] { #expect(try Self.again(type) == type) }
  }

  @Test func `a program's own type can be decoded anywhere`() throws {
    let board = ContentType(exportedAs: "com.example.board", conformingTo: .zip, filenameExtensions: ["board"])
    let card = ContentType(
      exportedAs: "com.example.card", conformingTo: board, filenameExtensions: ["card"], mimeType: "application/x-card")
    let read = try Self.again(card)
    #expect(read == card && read.tags == card.tags && read.isDeclared)
    #expect(read.conforms(to: board) && read.conforms(to: .archive))
    #expect(read.supertypes.first { $0 == board }?.preferredFilenameExtension == "board")
  }

  @Test func `a dynamic type stays dynamic`() throws {
    let type = try #require(ContentType(filenameExtension: "unheardof", conformingTo: .audio))
    let read = try Self.again(type)
    #expect(
      read == type && read.isDynamic && read.conforms(to: .audio) && read.preferredFilenameExtension == "unheardof")
  }

  @Test func `a type that was known elsewhere can be decoded here`() throws {
    let json = Array(#"{"identifier":"application/known-elsewhere"}"#.utf8)
    let read = try JSONDecoder().decode(ContentType.self, from: Data(json))
    #expect(read.identifier == "application/known-elsewhere" && read.isDynamic)
    let dynamic = Array(#"{"identifier":"image/png","kind":"dynamic","mimeType":"image/png"}"#.utf8)
    #expect(try JSONDecoder().decode(ContentType.self, from: Data(dynamic)).isDeclared)
  }
}
