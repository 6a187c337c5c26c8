/// Reads a value from a file of any size, and writes it to a file; a directory counts as a file.
///
///     FileRepresentation(importedContentType: .movie) { received in try await Clip(at: received.file) }
public struct FileRepresentation<Item: Transferable>: TransferRepresentation {
  private let part: TransferPart<Item>

  /// Creates a representation for reading and writing.
  public init(
    contentType: ContentType, exporting: @escaping @concurrent @Sendable (Item) async throws -> SentTransferredFile,
    importing: @escaping @concurrent @Sendable (ReceivedTransferredFile) async throws -> Item
  ) {
    part = Self.part(Self.importing(contentType, importing), Self.exporting(contentType, exporting))
  }

  /// Creates a representation for reading only.
  ///
  /// - Parameters:
  ///   - importedContentType: The type that the file must have.
  ///   - importing: Reads the file. The file exists until the action for the value has answered.
  public init(
    importedContentType: ContentType,
    importing: @escaping @concurrent @Sendable (ReceivedTransferredFile) async throws -> Item
  ) {
    part = Self.part(Self.importing(importedContentType, importing), nil)
  }

  /// Creates a representation for writing only.
  public init(
    exportedContentType: ContentType,
    exporting: @escaping @concurrent @Sendable (Item) async throws -> SentTransferredFile
  ) {
    part = Self.part(nil, Self.exporting(exportedContentType, exporting))
  }

  /// The representation itself.
  public var body: TransferRepresentations<Item> { return TransferRepresentations([part]) }

  private static func part(
    _ importing: TransferPart<Item>.Importing?, _ exporting: TransferPart<Item>.Exporting?
  ) -> TransferPart<Item> {
    TransferPart(name: "FileRepresentation", importing: importing, exporting: exporting)
  }

  private static func importing(
    _ type: ContentType, _ run: @escaping @concurrent @Sendable (ReceivedTransferredFile) async throws -> Item
  ) -> TransferPart<Item>.Importing {
    .init(types: [type]) { source, _ in try await source.withFile { try await run($0) } }
  }

  private static func exporting(
    _ type: ContentType, _ run: @escaping @concurrent @Sendable (Item) async throws -> SentTransferredFile
  ) -> TransferPart<Item>.Exporting {
    .init(types: [type]) { item, _ in .file(try await run(item).file) }
  }
}
