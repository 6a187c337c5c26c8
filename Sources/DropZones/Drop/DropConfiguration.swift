/// How a zone would take the payload at a session's location.
///
///     .dropConfiguration { session in
///       session.payloadBytes < session.size.bytes ? .move : .forbidden("the box has no room for it")
///     }
public struct DropConfiguration: Hashable, Sendable {
  /// What would be done with it.
  public let operation: DropOperation
  /// How many of those released together are taken; what is over the count stays staged and is asked again.
  public let acceptedItemCount: Int?
  /// Where below the box it would go.
  public let destination: Destination?
  /// Why; shown while it is still arriving.
  public let reason: String?

  private init(_ operation: DropOperation, _ count: Int?, _ destination: Destination?, _ reason: String?) {
    self.operation = operation
    acceptedItemCount = count
    self.destination = destination
    self.reason = reason
  }

  /// - Parameters:
  ///   - operation: What would be done with it.
  ///   - acceptedItemCount: How many of those released together are taken; all unless said.
  ///   - reason: Why; shown while it is still arriving.
  public init(operation: DropOperation, acceptedItemCount: Int? = nil, reason: String? = nil) {
    self.init(operation, acceptedItemCount, nil, reason)
  }

  /// - Parameters:
  ///   - operation: What would be done with it.
  ///   - destination: Where below the box it would go.
  ///   - reason: Why; shown while it is still arriving.
  public init(operation: DropOperation, destination: Destination, reason: String? = nil) {
    self.init(operation, nil, destination, reason)
  }

  /// It would be moved into the box.
  public static var move: DropConfiguration { DropConfiguration(operation: .move) }

  /// It would be copied into the box.
  public static var copy: DropConfiguration { DropConfiguration(operation: .copy) }

  /// It would be refused.
  public static func forbidden(_ reason: String) -> DropConfiguration {
    DropConfiguration(operation: .forbidden, reason: reason)
  }
}
