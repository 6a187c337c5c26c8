// JSON for a type that is not Codable.
// error: requires that 'Invoice' conform to 'Decodable'
import DropZones

struct Invoice: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(for: Invoice.self, contentType: .json)
  }
}
