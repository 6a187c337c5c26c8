import DropZones
import Testing

/// What a SwiftUI app's model file declares works here as it stands.
@Suite struct ModelFileTests {
  @Test func `its values are read and written`() async throws {
    let card = Card(id: 7, title: "Paint the fence", tags: ["garden"])
    #expect(Card.exportedContentTypes() == [.card, .json, .text])
    #expect(try await Card(importing: card.exported(as: .card), contentType: .card) == card)
    #expect(try await card.exported(as: .text) == Array("Paint the fence".utf8))
    #expect(try await Card(importing: Array("Water".utf8), contentType: .plainText).title == "Water")
  }

  @Test func `a type that only an app's property list describes is looked for in what is of its parent`() async throws {
    let json = DroppedFile(id: .init("1"), location: "a", file: "/nonexistent", byteCount: 9, type: .json)
    #expect(Card.takes(json))
    // Whatever it is: the import says whether it is a card.
    let other = DroppedFile(id: .init("1"), location: "a", file: "/nonexistent", byteCount: 9, type: .png)
    #expect(Card.takes(other))
    #expect(!ContentType.png.conforms(to: .card))
  }
}
