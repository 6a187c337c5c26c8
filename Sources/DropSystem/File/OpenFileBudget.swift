internal import Synchronization

/// How many files may stay open between two steps that could each open them for themselves.
package final class OpenFileBudget: Sendable {
  private let limit: Int
  private let taken = Atomic(0)

  package init(limit: Int) {
    self.limit = limit
  }

  /// Counts one more; false where there are enough.
  package func take() -> Bool {
    if taken.add(1, ordering: .relaxed).newValue <= limit { return true }
    giveBack()
    return false
  }

  func giveBack() {
    taken.subtract(1, ordering: .relaxed)
  }
}
