internal import CLinux
internal import Glibc

/// A thread of our own, for what must not wait behind anybody else's work.
package struct Thread {
  private let body: @Sendable () -> Void

  package init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// Starts it, under a name of 15 bytes at most that `top -H` shows.
  ///
  /// Where none is to be had it waits: what takes them all, such as other people's processes, passes as a rule.
  package func start(name: String) {
    for _ in 0..<1000 {
      if startIfPossible(name: name) { return }
      usleep(10_000)
    }
    preconditionFailure("no thread could be started")
  }

  /// Starts it if there is a thread to be had, and says whether there was.
  func startIfPossible(name: String) -> Bool {
    // The closure crosses pthread_create's pointer in a box that the thread takes over.
    let box = unsafe Unmanaged.passRetained(ThreadBody(name: name, body: body))
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
        unsafe pthread_setname_np(pthread_self(), body.name)
        body.body()
        return nil
      }, box.toOpaque())
    guard failure == 0 else {
      unsafe box.release()
      return false
    }
    pthread_detach(thread)
    return true
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
