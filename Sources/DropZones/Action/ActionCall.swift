import DropEngine
import DropFlow
import DropSystem

/// One call of a zone's functions by one of its workers: steps one after another, each with its own timeout.
///
/// A function cannot be stopped, only asked to stop: once a step's time is up, its task is cancelled, its payloads and
/// those that follow are answered for, and the call goes on until the function returns.
actor ActionCall {
  /// How long a step may go on after the daemon has been asked to stop.
  private static let grace = Duration.seconds(5)

  private enum Event: Sendable {
    case returned(Int)
    case timeUp(Int)
    case cancelled, graceOver
  }

  private let timeout: Duration
  private let pool: BlockingPool
  private let answer: @Sendable (DropID, HandlerDecision) async -> Void
  private var unanswered: [DropID]
  private var step = 0
  /// Whether its answers no longer count.
  private(set) var isOver = false
  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init(
    on payloads: [DropID], timeout: Duration, pool: BlockingPool,
    answer: @escaping @Sendable (DropID, HandlerDecision) async -> Void
  ) {
    unanswered = payloads
    self.timeout = timeout
    self.pool = pool
    self.answer = answer
    (events, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  /// Asks the step that is under way to end, and gives it a few seconds. Call it when the daemon stops.
  nonisolated func cancel() {
    continuation.yield(.cancelled)
  }

  func settle(_ id: DropID, _ decision: HandlerDecision) async {
    guard !isOver else { return }
    unanswered.removeAll { $0 == id }
    await answer(id, decision)
  }

  /// Runs one function about `ids` on the pool; returns nil if the call is over.
  func run<Value: Sendable>(
    about ids: [DropID], _ body: @escaping @Sendable () async throws -> Value
  ) async -> Result<Value, any Error>? {
    guard !isOver else { return nil }
    step += 1
    let (step, continuation, timeout) = (step, continuation, timeout)
    let task = Task(executorPreference: pool) {
      defer { continuation.yield(.returned(step)) }
      do {
        return Result<Value, any Error>.success(try await body())
      } catch {
        return .failure(error)
      }
    }
    let timer = Task {
      guard await TimerQueue.shared.sleep(for: timeout) else { return }
      continuation.yield(.timeUp(step))
    }
    defer { timer.cancel() }
    for await event in events {
      switch event {
      case .returned(step): return isOver ? nil : await task.value
      case .timeUp(step):
        task.cancel()
        await giveUp(ids)
      case .cancelled:
        isOver = true
        task.cancel()
        Task {
          await TimerQueue.shared.sleep(for: Self.grace)
          continuation.yield(.graceOver)
        }
      case .graceOver: return nil
      case .returned, .timeUp: continue
      }
    }
    return nil
  }

  /// Answers for all payloads that are left: the time of `ids` is up, and another worker asks about the others.
  private func giveUp(_ ids: [DropID]) async {
    guard !isOver else { return }
    isOver = true
    let left = unanswered
    unanswered = []
    for id in left {
      var decision =
        ids.contains(id)
        ? HandlerDecision(.failed("handler failed: it timed out after \(timeout.formatted)"))
        : HandlerDecision(.wait("the call for another payload has not returned"))
      decision.isOverdue = true
      await answer(id, decision)
    }
  }
}
