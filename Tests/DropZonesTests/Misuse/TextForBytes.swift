// Text where bytes are expected.
// error: cannot convert value of type 'String' to closure result type '[UInt8]'
import DropZones

struct Note: Transferable {
  let text: String

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .plainText) { note in note.text }
  }
}
