import DropZones
import DropZonesFoundation
import FoundationEssentials
import Testing

/// Tests of the additions in DropZonesFoundation.
@Suite struct FoundationTests {
  private struct Event: Codable, Transferable, Equatable {
    var startsAt: Date

    static var transferRepresentation: some TransferRepresentation {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return TransferRepresentationBuilder.buildBlock(
        TransferRepresentationBuilder<Event>.buildExpression(
          CodableRepresentation(encoder: encoder, decoder: decoder)))
    }
  }

  @Test func `a program's own coders read and write`() async throws {
    let event = Event(startsAt: Date(timeIntervalSince1970: 86_400))
    let json = try await event.exported(as: .json)
    #expect(String(decoding: json, as: UTF8.self) == #"{"startsAt":"1970-01-02T00:00:00Z"}"#)
    #expect(try await Event(importing: json) == event)
  }

  @Test func `Data reads the bytes of any file`() async throws {
    #expect(try await Data(importing: [1, 2], contentType: .png) == Data([1, 2]))
    #expect(try await Data([3]).exported(as: .data) == [3])
    await #expect(throws: DropZoneError.self) { try await Data(importing: [1], contentType: .directory) }
  }

  @Test func `received files have a URL`() {
    let received = ReceivedTransferredFile(file: "/srv/a b", isOriginalFile: true)
    #expect(received.url.path == "/srv/a b")
    #expect(SentTransferredFile(received.url) == SentTransferredFile("/srv/a b"))
  }
}
