internal import DropSystem

/// One way to read or write a value, with all that was said of it.
struct TransferPart<Item: Sendable>: Sendable {
  /// What is written where messages name it, such as `DataRepresentation`.
  let name: String
  var importing: Importing?
  var exporting: Exporting?
  /// Nil: what it goes through has a limit of its own, or there is the usual one.
  var sizeLimit: Int?
  var suggestedFileNames: [@Sendable (Item) -> String?] = []
  var exportingConditions: [@Sendable (Item) -> Bool] = []

  struct Importing: Sendable {
    let types: [ContentType]
    /// The limit is on what is read into memory.
    let run: @Sendable (_ source: TransferSource, _ sizeLimit: Int?) async throws -> Item
  }

  struct Exporting: Sendable {
    let types: [ContentType]
    let run: @Sendable (_ item: Item, _ type: ContentType) async throws -> TransferOutput
  }
}

extension Int {
  /// What is read into memory where nothing else was said: 64 MiB.
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
