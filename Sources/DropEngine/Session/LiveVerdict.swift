/// How a zone's configuration would take a payload, decided while the payload is still arriving.
package struct LiveVerdict: Hashable, Sendable {
  package var operation: LiveOperation
  /// The directory, relative to the box.
  package var destination: RawPath?
  /// The position in a box that keeps an order.
  package var position: Int?
  /// How many of the payloads that are released together are taken; others stay staged.
  package var acceptedCount: Int?
  package var reason: String?

  package init(
    operation: LiveOperation, destination: RawPath? = nil, position: Int? = nil, acceptedCount: Int? = nil,
    reason: String? = nil
  ) {
    self.operation = operation
    self.destination = destination
    self.position = position
    self.acceptedCount = acceptedCount
    self.reason = reason
  }
}

extension LiveVerdict {
  /// The reason why it would be refused; nil if it would not be.
  package var refusal: String? {
    operation == .forbidden || operation == .cancel ? reason ?? Self.unexplained : nil
  }

  private static let unexplained = "forbidden by the zone's configuration"

  /// What happens to a payload at its release.
  package enum Binding: Hashable, Sendable {
    /// It is claimed with this operation, and placed in this directory below the box if there is one.
    case take(DeliveryRules.Operation, in: RawPath?)
    /// It is claimed, and goes to the rejects.
    case refuse(String)
    /// It stays in the zone, and the configuration is called again.
    case stay(String)
  }

  /// Makes the verdict binding, after `taken` of the payloads that are released together have been taken.
  ///
  /// A zone that copies never moves, because a configuration must not be able to remove an original.
  package func binding(in zone: DeliveryRules.Operation, taken: Int) -> Binding {
    if let refusal { return .refuse(refusal) }
    if let acceptedCount, taken >= acceptedCount {
      let number = acceptedCount == 1 ? "one" : "\(acceptedCount)"
      return .stay(reason ?? "the zone takes \(number) at a time")
    }
    do throws(HandlerAnswer.Flaw) {
      let destination = try destination.map { (path) throws(HandlerAnswer.Flaw) in
        try HandlerAnswer.destination(path)
      }
      return .take(operation == .copy || zone == .copy ? .copy : .move, in: destination)
    } catch {
      return .refuse("the configuration's answer cannot be used: \(error.message)")
    }
  }
}
