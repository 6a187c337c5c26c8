import DropZones
import Testing

/// Checks that the model file of a SwiftUI app works unchanged.
@Suite struct ModelFileTests {
  @Test func `its values are read and written`() async throws {
    let card = Card(id: 7, title: "Paint the fence", tags: ["garden"])
    #expect(Card.exportedContentTypes() == [.card, .json, .text])
    #expect(try await Card(importing: card.exported(as: .card), contentType: .card) == card)
    #expect(try await card.exported(as: .text) == Array("Paint the fence".utf8))
    #expect(try await Card(importing: Array("Water".utf8), contentType: .plainText).title == "Water")
  }

  @Test func `a type that only an app's property list describes is tried for content of its parent`() async throws {
    let json = DroppedFile(id: .init("1"), location: "a", file: "/nonexistent", byteCount: 9, type: .json)
    #expect(Card.takes(json))
    // For any JSON, the import decides whether it is a card.
    let other = DroppedFile(id: .init("1"), location: "a", file: "/nonexistent", byteCount: 9, type: .png)
    #expect(Card.takes(other))
    #expect(!ContentType.png.conforms(to: .card))
  }
}
