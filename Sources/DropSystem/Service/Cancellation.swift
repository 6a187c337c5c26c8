internal import CLinux
internal import Glibc
internal import Synchronization

/// Tells work on other threads to stop: once, for good, and for everybody who holds it.
///
/// Work that sits in poll(2) waits for `descriptor`, which stays readable after the cancellation;
/// work that goes on in chunks asks `isCancelled` between them.
package final class Cancellation: Sendable {
  private let cancelled = Atomic(false)
  private let event: FileDescriptor?

  /// Without a descriptor to spare there is still `isCancelled`; whoever polls looks at it too.
  package init() {
    let number = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    event = number < 0 ? nil : FileDescriptor(adopting: number)
  }

  package func cancel() {
    guard !cancelled.exchange(true, ordering: .sequentiallyConsistent), let number = descriptor else { return }
    _ = eventfd_write(number, 1)
  }

  package var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Readable from the cancellation on; never read from.
  var descriptor: Int32? {
    switch event {
    case .some(let event): event.number
    case .none: nil
    }
  }
}
