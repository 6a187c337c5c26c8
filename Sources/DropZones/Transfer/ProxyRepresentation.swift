/// Reads and writes a value through another type.
///
///     ProxyRepresentation(exporting: \.title)
public struct ProxyRepresentation<Item: Transferable, Proxy: Transferable>: TransferRepresentation {
  private let export: (@concurrent @Sendable (Item) async throws -> Proxy)?
  private let `import`: (@concurrent @Sendable (Proxy) async throws -> Item)?

  /// Creates a representation for reading and writing.
  public init(
    exporting: @escaping @concurrent @Sendable (Item) async throws -> Proxy,
    importing: @escaping @concurrent @Sendable (Proxy) async throws -> Item
  ) {
    export = exporting
    `import` = importing
  }

  /// Creates a representation for writing only.
  public init(exporting: @escaping @concurrent @Sendable (Item) async throws -> Proxy) {
    export = exporting
    `import` = nil
  }

  /// Creates a representation for reading only.
  public init(importing: @escaping @concurrent @Sendable (Proxy) async throws -> Item) {
    export = nil
    `import` = importing
  }

  /// The representation itself.
  public var body: TransferRepresentations<Item> {
    let importing = self.import.map { run in
      TransferPart<Item>.Importing(types: Proxy.importedContentTypes()) { source, limit in
        try await run(Proxy.read(from: source, sizeLimit: limit))
      }
    }
    let exporting = export.map { run in
      TransferPart<Item>.Exporting(types: Proxy.exportedContentTypes()) { item, type in
        try await run(item).written(as: type).output
      }
    }
    let part = TransferPart<Item>(
      name: "ProxyRepresentation through \(Proxy.self)", importing: importing, exporting: exporting)
    return TransferRepresentations([part])
  }
}
