import DropZones

struct Card: Codable, Transferable {
  let title: String
  let isLocked: Bool?

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .card)
  }
}

extension ContentType {
  static let card = ContentType(
    exportedAs: "com.example.card", conformingTo: .json, filenameExtensions: ["card"])
}
