/// How a zone would take a payload, as its configuration says while the payload is still there to be changed.
package struct LiveVerdict: Hashable, Sendable {
  package var operation: LiveOperation
  /// The directory below the box, relative.
  package var destination: RawPath?
  /// The place in a box that keeps an order.
  package var position: Int?
  /// How many of what is released together are taken; what is over it stays staged.
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
  /// Why it would be refused; nil where it would not.
  package var refusal: String? {
    operation == .forbidden || operation == .cancel ? reason ?? Self.unexplained : nil
  }

  private static let unexplained = "forbidden by the zone's configuration"

  /// What is done with one payload at its release.
  package enum Binding: Hashable, Sendable {
    /// It is claimed, in this way, and placed in this directory below the box where one was said.
    case take(DeliveryRules.Operation, in: RawPath?)
    /// It is claimed, and goes to the rejects.
    case refuse(String)
    /// It stays in the zone and is asked about again.
    case stay(String)
  }

  /// Binds the answer, `taken` of those released together being taken before it.
  ///
  /// A zone that copies never moves: what its configuration says cannot take an original away.
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
