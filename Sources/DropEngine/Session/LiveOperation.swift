/// How a payload is taken, or that it is not.
package enum LiveOperation: String, Hashable, Sendable, CaseIterable {
  case move, copy, forbidden
  /// Withdrawn by its sender: nothing was taken.
  case cancel
}
