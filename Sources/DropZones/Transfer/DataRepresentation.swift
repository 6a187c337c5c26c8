/// Reads a value from bytes, and writes it as bytes.
///
///     DataRepresentation(contentType: .png) { picture in picture.encoded() } importing: { bytes in try Picture(bytes) }
public struct DataRepresentation<Item: Transferable>: TransferRepresentation {
  private let part: TransferPart<Item>

  /// Creates a representation for reading and writing.
  public init(
    contentType: ContentType, exporting: @escaping @concurrent @Sendable (Item) async throws -> [UInt8],
    importing: @escaping @concurrent @Sendable ([UInt8]) async throws -> Item
  ) {
    part = Self.part(Self.importing(contentType, importing), Self.exporting(contentType, exporting))
  }

  /// Creates a representation for reading only.
  public init(
    importedContentType: ContentType, importing: @escaping @concurrent @Sendable ([UInt8]) async throws -> Item
  ) {
    part = Self.part(Self.importing(importedContentType, importing), nil)
  }

  /// Creates a representation for writing only.
  public init(
    exportedContentType: ContentType, exporting: @escaping @concurrent @Sendable (Item) async throws -> [UInt8]
  ) {
    part = Self.part(nil, Self.exporting(exportedContentType, exporting))
  }

  /// The representation itself.
  public var body: TransferRepresentations<Item> { return TransferRepresentations([part]) }

  private static func part(
    _ importing: TransferPart<Item>.Importing?, _ exporting: TransferPart<Item>.Exporting?
  ) -> TransferPart<Item> {
    TransferPart(name: "DataRepresentation", importing: importing, exporting: exporting)
  }

  private static func importing(
    _ type: ContentType, _ run: @escaping @concurrent @Sendable ([UInt8]) async throws -> Item
  ) -> TransferPart<Item>.Importing {
    .init(types: [type]) { source, limit in try await run(source.bytes(upTo: limit)) }
  }

  private static func exporting(
    _ type: ContentType, _ run: @escaping @concurrent @Sendable (Item) async throws -> [UInt8]
  ) -> TransferPart<Item>.Exporting {
    .init(types: [type]) { item, _ in .bytes(try await run(item)) }
  }
}
