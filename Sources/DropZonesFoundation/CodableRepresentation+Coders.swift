public import DropZones
public import FoundationEssentials

extension CodableRepresentation {
  /// Reads and writes JSON with coders of one's own.
  ///
  /// - Parameters:
  ///   - itemType: The type of the value.
  ///   - contentType: What the content has to be.
  ///   - encoder: Writes values; set up once, and not changed afterwards.
  ///   - decoder: Reads them; set up once, and not changed afterwards.
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
