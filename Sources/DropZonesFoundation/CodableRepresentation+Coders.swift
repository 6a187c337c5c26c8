public import DropZones
public import FoundationEssentials

extension CodableRepresentation {
  /// Creates a representation as JSON with your own coders.
  ///
  /// - Parameters:
  ///   - itemType: The type of the value.
  ///   - contentType: The type that the content must have.
  ///   - encoder: Writes values. Do not change it afterwards.
  ///   - decoder: Reads values. Do not change it afterwards.
  public init(
    for itemType: Item.Type = Item.self, contentType: ContentType = .json, encoder: JSONEncoder, decoder: JSONDecoder
  ) {
    self.init(contentType: contentType) { item in
      try [UInt8](encoder.encode(item))
    } decode: { bytes in
      try decoder.decode(Item.self, from: Data(bytes))
    }
  }
}
