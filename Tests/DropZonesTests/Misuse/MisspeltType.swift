// A type by a name that it does not have.
// error: type 'ContentType' has no member 'jsn'
import DropZones

struct Invoice: Codable, Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .jsn)
  }
}
