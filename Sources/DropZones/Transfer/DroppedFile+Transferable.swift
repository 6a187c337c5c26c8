extension DroppedFile: Transferable {
  /// The file itself, of any type.
  public static var transferRepresentation: some TransferRepresentation {
    Itself()
  }

  private struct Itself: TransferRepresentation {
    var body: TransferRepresentations<DroppedFile> {
      let part = TransferPart<DroppedFile>(
        name: "DroppedFile",
        importing: .init(types: [.item]) { source, _ in
          guard case .file(let file, _) = source.content else {
            throw DropZoneError(.notImported, "the content is not a file")
          }
          return file
        },
        exporting: .init(types: [.data]) { file, _ in .file(file.file) },
        suggestedFileNames: [{ $0.location.lastComponent.string }])
      return TransferRepresentations([part])
    }
  }
}
