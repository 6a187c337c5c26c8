internal import CLinux
internal import Glibc

/// A thread of our own, for what must not wait behind anybody else's work.
package struct Thread {
  private let body: @Sendable () -> Void

  package init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// Starts it, under a name of 15 bytes at most that `top -H` shows.
  package func start(name: String) {
    // The closure crosses pthread_create's pointer in a box that the thread takes over.
    let box = unsafe Unmanaged.passRetained(ThreadBody(name: name, body: body)).toOpaque()
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
        unsafe pthread_setname_np(pthread_self(), body.name)
        body.body()
        return nil
      }, box)
    precondition(failure == 0, "no thread could be started")
    pthread_detach(thread)
  }
}

private final class ThreadBody {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}
