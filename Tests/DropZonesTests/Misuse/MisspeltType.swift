// A misspelt name of a type.
// error: type 'ContentType' has no member 'jsn'
import DropZones

struct Invoice: Codable, Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .jsn)
  }
}
