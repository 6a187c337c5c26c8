internal import DropSystem
internal import Synchronization

/// A connection, as the tasks that answer its calls see it.
///
/// It handles one call at a time. Tasks add replies, and wait for the client only if they choose to. The server's thread
/// sends the replies as fast as the client reads them.
final class Client: Sendable {
  let mayChange: Bool
  private let limit: Int
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    var output = ByteQueue()
    var isBusy = false
    /// The client cannot be reached any longer.
    var isGone = false
    /// No more calls are read, and the connection closes when all output is sent.
    var isEnding = false
    var drained: AsyncStream<Never>.Continuation?
    var gone: AsyncStream<Never>.Continuation?
  }

  /// `wake` is called on any thread, and must return quickly.
  init(mayChange: Bool, limit: Int, wake: @escaping @Sendable () -> Void) {
    self.mayChange = mayChange
    self.limit = limit
    self.wake = wake
  }

  // MARK: - For tasks

  /// Adds a reply. Disconnects the client if too many bytes are waiting for it.
  func send(_ message: [UInt8]) {
    let isOverLimit = state.withLock { state in
      if state.isGone { return false }
      if !state.output.isEmpty, state.output.count + message.count > limit { return true }
      state.output.append(message)
      return false
    }
    if isOverLimit { disconnect() }
    wake()
  }

  /// The number of bytes that the client has not read yet.
  var waiting: Int { state.withLock { $0.output.count } }

  /// Returns when the client has read everything, is gone, or the task is cancelled.
  func drained() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let isDone = state.withLock { state in
      if state.output.isEmpty || state.isGone { return true }
      state.drained = continuation
      return false
    }
    if !isDone { for await _ in stream {} }
  }

  var isGone: Bool { state.withLock { $0.isGone } }

  /// Returns when the client is gone, or the task is cancelled.
  func untilGone() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let isDone = state.withLock { state in
      if state.isGone { return true }
      state.gone = continuation
      return false
    }
    if !isDone { for await _ in stream {} }
  }

  /// Ends the current call. With `ending`, no more calls are read from this client.
  func finish(ending: Bool = false) {
    state.withLock { state in
      state.isBusy = false
      if ending { state.isEnding = true }
    }
    wake()
  }

  // MARK: - For the server's thread

  /// Begins the next call; returns false if the client has not yet read the reply to the previous one.
  func begin() -> Bool {
    state.withLock { state in
      guard !state.isBusy, !state.isEnding, state.output.isEmpty else { return false }
      state.isBusy = true
      return true
    }
  }

  var isBusy: Bool { state.withLock { $0.isBusy } }

  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Sends as much as the client accepts. Throws if the client is gone.
  func flush(to socket: borrowing UnixSocket) throws(Errno) {
    do throws(Errno) {
      let drained = try state.withLock { (state) throws(Errno) -> AsyncStream<Never>.Continuation? in
        while !state.output.isEmpty {
          let sent = try socket.send(state.output.bytes.prefix(1 << 18))
          if sent == 0 { return nil }
          state.output.removeFirst(sent)
        }
        return state.drained.take()
      }
      drained?.finish()
    } catch {
      disconnect()
      throw error
    }
  }

  /// Marks the client as gone: drops its output and resumes the tasks that wait for it.
  func disconnect() {
    let waiting = state.withLock { state in
      state.isGone = true
      state.output = ByteQueue()
      return [state.drained.take(), state.gone.take()]
    }
    for continuation in waiting { continuation?.finish() }
  }
}
