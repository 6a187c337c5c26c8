internal import CLinux
internal import Glibc

/// A detached thread for work that blocks for long: no pool is kept waiting for it.
package enum OwnThread {
  private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
      self.body = body
    }
  }

  /// Returns once `body` has run on a new thread, or at once where there is none to be had.
  package static func run(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      start {
        body()
        continuation.resume()
      } orElse: { _ in
        continuation.resume()
      }
    }
  }

  /// Runs `body` on a new thread, or calls `orElse` here when there is none to be had.
  package static func start(_ body: @escaping @Sendable () -> Void, orElse: (Errno) -> Void) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      return orElse(Errno(failure))
    }
  }
}
