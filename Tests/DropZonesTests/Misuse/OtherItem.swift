// A representation that creates a value of another type.
// error: cannot convert value of type 'Invoice' to closure result type 'Receipt'
import DropZones

struct Invoice: Codable, Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
  }
}

struct Receipt: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .pdf) { bytes in Invoice() }
  }
}
