// The same where the type is not said.
// error: requires that 'Invoice' conform to 'Decodable'
import DropZones

struct Invoice: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
  }
}
