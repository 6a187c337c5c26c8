extension String: Transferable {
  /// UTF-8 text of any kind.
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .utf8PlainText) { text in
      Array(text.utf8)
    } importing: { bytes in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw DropZoneError(.notImported, "it is not valid UTF-8")
      }
      return text
    }
  }
}
