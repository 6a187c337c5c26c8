/// A way to read or write a value: one of those that are here, or a type of your own made of them.
public protocol TransferRepresentation<Item>: Sendable {
  /// What is read and written.
  associatedtype Item: Sendable
  /// What `body` is.
  associatedtype Body: TransferRepresentation<Item>

  /// The ways it stands for, the most faithful one first.
  @TransferRepresentationBuilder<Item> var body: Body { get }
}

/// Several ways to read or write a value, in order.
public struct TransferRepresentations<Item: Sendable>: TransferRepresentation {
  let parts: [TransferPart<Item>]

  init(_ parts: [TransferPart<Item>]) {
    self.parts = parts
  }

  /// The ways themselves.
  public var body: TransferRepresentations<Item> { return self }
}

/// Several ways to read or write a value, declared one under another.
@resultBuilder public enum TransferRepresentationBuilder<Item: Sendable> {
  /// One way, or a type made of several.
  public static func buildExpression(
    _ representation: some TransferRepresentation<Item>
  ) -> TransferRepresentations<Item> {
    TransferRepresentations(representation.parts)
  }

  /// One after another.
  public static func buildBlock(
    _ representations: TransferRepresentations<Item>...
  ) -> TransferRepresentations<Item> {
    TransferRepresentations(representations.flatMap(\.parts))
  }
}

extension TransferRepresentation {
  /// Taken apart until nothing but the library's own ways are left.
  var parts: [TransferPart<Item>] {
    if let representations = self as? TransferRepresentations<Item> { return representations.parts }
    return body.parts
  }
}
