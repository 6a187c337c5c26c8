public import DropZones
public import FoundationEssentials

extension Data: Transferable {
  /// The bytes, whatever they are.
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .data) { data in
      [UInt8](data)
    } importing: { bytes in
      Data(bytes)
    }
  }
}
