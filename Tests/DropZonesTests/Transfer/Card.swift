// The model file of a SwiftUI app. Only its imports differ here.
#if canImport(CoreTransferable)
  import CoreTransferable
  import UniformTypeIdentifiers
#else
  import DropZones

  typealias UTType = ContentType
#endif

struct Card: Codable, Hashable, Identifiable, Sendable {
  var id = 0
  var title: String
  var tags: [String] = []
}

extension UTType {
  static let card = UTType(exportedAs: "com.example.card")
  static var board: UTType { UTType(exportedAs: "com.example.board", conformingTo: .json) }
}

extension Card: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .card)
      .suggestedFileName { $0.title + ".card" }
    CodableRepresentation(for: Card.self, contentType: .json)
    ProxyRepresentation(exporting: \.title)
      .exportingCondition { !$0.title.isEmpty }
    ProxyRepresentation(
      exporting: { card in card.title },
      importing: { title in Card(title: title) })
  }
}
