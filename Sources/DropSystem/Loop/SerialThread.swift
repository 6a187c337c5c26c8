internal import Dispatch
internal import DropEngine
internal import Synchronization

/// Runs one closure after the other on a thread of its own, which is made with the first and ends with its owner; where
/// no thread can be had, on that of the caller.
///
/// A dispatch queue would do the same, but where there was one libdispatch looks after its threads once a second for as
/// long as the process lives.
final class SerialThread: Sendable {
  private final class Line: Sendable {
    struct State {
      var work = Queue<@Sendable () -> Void>()
      var isStarted = false
      var isOver = false
    }

    let state = Mutex(State())
    let bell = DispatchSemaphore(value: 0)

    func run() {
      while true {
        bell.wait()
        let (body, isOver) = state.withLock { ($0.work.popFirst(), $0.isOver) }
        if let body { body() } else if isOver { return }
      }
    }

    /// Runs what there is.
    func runHere() {
      while let body = state.withLock({ $0.work.popFirst() }) { body() }
    }
  }

  private let line = Line()
  private let name: String

  /// - Parameter name: What `top -H` shows; 15 bytes at most.
  init(name: String) {
    self.name = name
  }

  deinit {
    line.state.withLock { $0.isOver = true }
    line.bell.signal()
  }

  /// Queues `body`, and returns at once.
  func add(_ body: @escaping @Sendable () -> Void) {
    let isFirst = line.state.withLock { state in
      state.work.append(body)
      defer { state.isStarted = true }
      return !state.isStarted
    }
    line.bell.signal()
    guard isFirst, !Thread({ [line] in line.run() }).startIfPossible(name: name) else { return }
    line.state.withLock { $0.isStarted = false }
    line.runHere()
  }

  /// Waits until everything queued so far has run; false when that takes longer than `limit`.
  @discardableResult func flush(within limit: Duration = .seconds(3600)) -> Bool {
    let done = DispatchSemaphore(value: 0)
    add { done.signal() }
    let (seconds, attoseconds) = min(limit, .seconds(3600)).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    return done.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
  }
}
