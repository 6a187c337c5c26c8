/// A way to read or write a value: one of the library's, or your own type that consists of these.
public protocol TransferRepresentation<Item>: Sendable {
  /// The type of the value.
  associatedtype Item: Sendable
  /// The type of `body`.
  associatedtype Body: TransferRepresentation<Item>

  /// The representations that it consists of, the most faithful one first.
  @TransferRepresentationBuilder<Item> var body: Body { get }
}

/// Several representations, in order.
public struct TransferRepresentations<Item: Sendable>: TransferRepresentation {
  let parts: [TransferPart<Item>]

  init(_ parts: [TransferPart<Item>]) {
    self.parts = parts
  }

  /// The representations themselves.
  public var body: TransferRepresentations<Item> { return self }
}

/// Builds a list of representations from declarations.
@resultBuilder public enum TransferRepresentationBuilder<Item: Sendable> {
  /// Converts a representation, or a type that consists of several.
  public static func buildExpression(
    _ representation: some TransferRepresentation<Item>
  ) -> TransferRepresentations<Item> {
    TransferRepresentations(representation.parts)
  }

  /// Combines declarations.
  public static func buildBlock(
    _ representations: TransferRepresentations<Item>...
  ) -> TransferRepresentations<Item> {
    TransferRepresentations(representations.flatMap(\.parts))
  }
}

extension TransferRepresentation {
  /// Expands types that consist of representations until only the library's own are left.
  var parts: [TransferPart<Item>] {
    if let representations = self as? TransferRepresentations<Item> { return representations.parts }
    return body.parts
  }
}
