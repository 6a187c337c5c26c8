internal import CLinux
internal import Glibc

/// Starts a detached thread that calls `body`.
///
/// Only the pool, the event loop and the timer queue call this; everything else runs on one of those.
///
/// - Parameter name: What `top -H` shows; at most 15 bytes.
/// - Returns: False if the system has no thread to spare, see pthread_create(3).
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
  // The closure crosses pthread_create's pointer in a box that the new thread takes over.
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

/// Starts a thread that the process cannot do without, and blocks the caller until the system has one to spare.
func startEssentialThread(named name: String, _ body: @escaping @Sendable () -> Void) {
  while !startThread(named: name, body) { usleep(10_000) }
}

private final class ThreadBody {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}
