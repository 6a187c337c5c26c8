internal import CLinux
internal import Glibc
internal import Synchronization

/// Tells work on other threads to stop, once and for good.
///
/// Work that waits in poll(2) includes `descriptor`, which stays readable after the cancellation. Work that proceeds in
/// chunks checks `isCancelled` between them.
package final class Cancellation: Sendable {
  private let cancelled = Atomic(false)
  private let event: FileDescriptor?

  /// If no descriptor is available, only `isCancelled` works, so code that polls must check it too.
  package init() {
    let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    event = number < 0 ? nil : FileDescriptor(adopting: number)
  }

  package func cancel() {
    guard !cancelled.exchange(true, ordering: .sequentiallyConsistent), let number = descriptor else { return }
    _ = eventfd_write(number, 1)
  }

  package var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Becomes readable at the cancellation; nothing is ever read from it.
  var descriptor: Int32? {
    switch event {
    case .some(let event): event.number
    case .none: nil
    }
  }
}
