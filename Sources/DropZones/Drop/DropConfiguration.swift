/// How a zone would take the payload at the session's location.
///
///     .dropConfiguration { session in
///       session.payloadBytes < session.size.bytes ? .move : .forbidden("the box has no room for it")
///     }
public struct DropConfiguration: Hashable, Sendable {
  /// What the zone would do with the payload.
  public let operation: DropOperation
  /// How many of the payloads that are released together are taken. Others stay staged, and the zone asks again.
  public let acceptedItemCount: Int?
  /// The directory below the box that the payload would go to.
  public let destination: Destination?
  /// The reason, which is shown while the payload is still arriving.
  public let reason: String?

  private init(_ operation: DropOperation, _ count: Int?, _ destination: Destination?, _ reason: String?) {
    self.operation = operation
    acceptedItemCount = count
    self.destination = destination
    self.reason = reason
  }

  /// Creates a configuration without a destination.
  ///
  /// - Parameters:
  ///   - operation: What the zone would do with the payload.
  ///   - acceptedItemCount: How many of the payloads that are released together are taken. The default is all of them.
  ///   - reason: The reason, which is shown while the payload is still arriving.
  public init(operation: DropOperation, acceptedItemCount: Int? = nil, reason: String? = nil) {
    self.init(operation, acceptedItemCount, nil, reason)
  }

  /// Creates a configuration with a destination.
  ///
  /// - Parameters:
  ///   - operation: What the zone would do with the payload.
  ///   - destination: The directory below the box that the payload would go to.
  ///   - reason: The reason, which is shown while the payload is still arriving.
  public init(operation: DropOperation, destination: Destination, reason: String? = nil) {
    self.init(operation, nil, destination, reason)
  }

  /// The zone would move the payload into the box.
  public static var move: DropConfiguration { DropConfiguration(operation: .move) }

  /// The zone would copy the payload into the box.
  public static var copy: DropConfiguration { DropConfiguration(operation: .copy) }

  /// The zone would refuse the payload.
  public static func forbidden(_ reason: String) -> DropConfiguration {
    DropConfiguration(operation: .forbidden, reason: reason)
  }
}
