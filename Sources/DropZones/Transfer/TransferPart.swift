internal import DropSystem

/// A single representation, with its modifiers.
struct TransferPart<Item: Sendable>: Sendable {
  /// The name in messages, such as `DataRepresentation`.
  let name: String
  var importing: Importing?
  var exporting: Exporting?
  /// The limit for content in memory. If nil, the limit of the proxy or the default limit applies.
  var sizeLimit: Int?
  var suggestedFileNames: [@Sendable (Item) -> String?] = []
  var exportingConditions: [@Sendable (Item) -> Bool] = []

  struct Importing: Sendable {
    let types: [ContentType]
    /// `sizeLimit` applies to content that is read into memory.
    let run: @Sendable (_ source: TransferSource, _ sizeLimit: Int?) async throws -> Item
  }

  struct Exporting: Sendable {
    let types: [ContentType]
    let run: @Sendable (_ item: Item, _ type: ContentType) async throws -> TransferOutput
  }
}

extension Int {
  /// The default limit for content that is read into memory: 64 MiB.
  static let usualSizeLimit = 64 << 20
}

/// A written value.
enum TransferOutput: Sendable {
  case bytes([UInt8])
  case file(String)

  func bytes(upTo limit: Int) throws -> [UInt8] {
    switch self {
    case .bytes(let bytes): bytes
    case .file(let path): try FileContents.bytes(of: path, upTo: limit)
    }
  }
}
