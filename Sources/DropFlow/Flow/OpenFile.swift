package import DropSystem
internal import Synchronization

/// An open file or directory that several steps share; closed when the last lets go.
package final class OpenFile: Sendable {
  package let descriptor: FileDescriptor
  private let budget: OpenFileBudget?

  /// One that was counted is given back to its budget when it is closed.
  package init(_ descriptor: consuming FileDescriptor, of budget: OpenFileBudget? = nil) {
    self.descriptor = descriptor
    self.budget = budget
  }

  deinit {
    budget?.giveBack()
  }

  package var number: Int32 { descriptor.number }
}

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

  fileprivate func giveBack() {
    taken.subtract(1, ordering: .relaxed)
  }
}
