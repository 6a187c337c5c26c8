public import DropZones
public import FoundationEssentials

extension Data: Transferable {
  /// The bytes of any content.
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .data) { data in
      [UInt8](data)
    } importing: { bytes in
      Data(bytes)
    }
  }
}
