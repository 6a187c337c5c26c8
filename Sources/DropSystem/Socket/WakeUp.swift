internal import CLinux
internal import Glibc

/// Wakes a thread that waits in poll or epoll: eventfd(2).
package final class WakeUp: Sendable {
  private let descriptor: FileDescriptor

  package init() throws(Errno) {
    descriptor = FileDescriptor(
      adopting: try retrying { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) })
  }

  /// Readable once it was signalled, until it is cleared.
  package var number: Int32 { descriptor.number }

  /// Several signals before the thread looks are one.
  package func signal() {
    _ = eventfd_write(number, 1)
  }

  package func clear() {
    var count = eventfd_t()
    _ = unsafe eventfd_read(number, &count)
  }
}
