// JSON for a type that is not Codable, where the type is inferred.
// error: requires that 'Invoice' conform to 'Decodable'
import DropZones

struct Invoice: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
  }
}
