/// How a payload is taken, or not taken.
package enum LiveOperation: String, Hashable, Sendable, CaseIterable {
  case move, copy, forbidden
  /// The sender withdrew the payload, and nothing was taken.
  case cancel
}
