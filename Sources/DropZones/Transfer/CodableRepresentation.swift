internal import FoundationEssentials

/// Reads and writes a value as JSON.
///
///     CodableRepresentation(contentType: .card)
public struct CodableRepresentation<Item: Transferable & Codable>: TransferRepresentation {
  private let type: ContentType
  private let encode: @Sendable (Item) throws -> [UInt8]
  private let decode: @Sendable ([UInt8]) throws -> Item

  /// Creates a representation as JSON.
  ///
  /// - Parameters:
  ///   - itemType: The type of the value.
  ///   - contentType: The type that the content must have.
  public init(for itemType: Item.Type = Item.self, contentType: ContentType = .json) {
    self.init(contentType: contentType) { item in
      try [UInt8](JSONEncoder().encode(item))
    } decode: { bytes in
      try JSONDecoder().decode(Item.self, from: Data(bytes))
    }
  }

  /// Creates a representation with other coders.
  package init(
    contentType: ContentType, encode: @escaping @Sendable (Item) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Item
  ) {
    type = contentType
    self.encode = encode
    self.decode = decode
  }

  /// The representation itself.
  public var body: TransferRepresentations<Item> {
    let part = TransferPart<Item>(
      name: "CodableRepresentation",
      importing: .init(types: [type]) { [decode] source, limit in try decode(source.bytes(upTo: limit)) },
      exporting: .init(types: [type]) { [encode] item, _ in .bytes(try encode(item)) })
    return TransferRepresentations([part])
  }
}
