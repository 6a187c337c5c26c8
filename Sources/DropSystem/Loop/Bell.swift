internal import CLinux
internal import Glibc

/// Wakes one thread that waits for it; rings while nobody waits are kept, as one.
package struct Bell: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  package init() throws(Errno) {
    descriptor = FileDescriptor(adopting: try retrying { eventfd(0, Int32(EFD_CLOEXEC)) })
  }

  package func ring() {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(descriptor.number, &one, 8)
  }

  /// Returns once it has been rung since the last return.
  package func wait() {
    var count: UInt64 = 0
    while unsafe Glibc.read(descriptor.number, &count, 8) < 0, Errno.last == .interrupted {}
  }
}
