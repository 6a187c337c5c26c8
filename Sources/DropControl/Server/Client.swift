internal import DropSystem
internal import Synchronization

/// One connection, as the tasks that answer its calls see it.
///
/// It has one call in hand at a time. Tasks add replies and never wait for the client, unless they
/// choose to; the server's thread hands the replies over as fast as they are read.
final class Client: Sendable {
  let mayChange: Bool
  private let limit: Int
  private let wake: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    var output = ByteQueue()
    var isBusy = false
    /// No reply reaches the client any more.
    var isGone = false
    /// Nothing more is read from it; the connection ends when the output is out.
    var isEnding = false
    var drained: AsyncStream<Never>.Continuation?
    var gone: AsyncStream<Never>.Continuation?
  }

  /// `wake` has to be quick; it is called on any thread.
  init(mayChange: Bool, limit: Int, wake: @escaping @Sendable () -> Void) {
    self.mayChange = mayChange
    self.limit = limit
    self.wake = wake
  }

  // Tasks.

  /// Adds a reply. A client for whom too much waits already is gone.
  func send(_ message: [UInt8]) {
    let isOver = state.withLock { state in
      if state.isGone { return false }
      if !state.output.isEmpty, state.output.count + message.count > limit { return true }
      state.output.append(message)
      return false
    }
    if isOver { leave() }
    wake()
  }

  /// How many bytes wait to be read.
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

  /// The call in hand is answered. `ending` when the client can be talked to no longer.
  func finish(ending: Bool = false) {
    state.withLock { state in
      state.isBusy = false
      if ending { state.isEnding = true }
    }
    wake()
  }

  // The server's thread.

  /// Whether the next call may be begun, which is then in hand: the last is answered, and its reply read.
  func begin() -> Bool {
    state.withLock { state in
      guard !state.isBusy, !state.isEnding, state.output.isEmpty else { return false }
      state.isBusy = true
      return true
    }
  }

  var isBusy: Bool { state.withLock { $0.isBusy } }

  var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Hands over what the client takes. Throws when it is not there.
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
      leave()
      throw error
    }
  }

  /// Nobody reads any more: what waits is dropped, and who waits goes on.
  func leave() {
    let waiting = state.withLock { state in
      state.isGone = true
      state.output = ByteQueue()
      return [state.drained.take(), state.gone.take()]
    }
    for continuation in waiting { continuation?.finish() }
  }
}
