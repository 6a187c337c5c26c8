import DropEngine
import Synchronization

@testable import DropFlow

/// A handler whose answers a test writes, and which keeps what it was asked.
final class ScriptedHandler: DropHandler {
  typealias Answer = @Sendable (DropID, HandlerDecision) async -> Void

  let batchLimit: Int
  private let body: @Sendable ([HeldPayload], Answer) async -> Void
  private let state = Mutex<(calls: [[HeldPayload]], isClosed: Bool)>(([], false))

  init(batchLimit: Int = 1, _ body: @escaping @Sendable ([HeldPayload], Answer) async -> Void) {
    self.batchLimit = batchLimit
    self.body = body
  }

  /// Decides the same of each payload.
  convenience init(batchLimit: Int = 1, _ outcome: HandlerOutcome, retryAfter: Duration? = nil) {
    self.init(batchLimit: batchLimit) { payloads, answer in
      for payload in payloads { await answer(payload.drop.id, HandlerDecision(outcome, retryAfter: retryAfter)) }
    }
  }

  var calls: [[HeldPayload]] { state.withLock { $0.calls } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func decide(on payloads: [HeldPayload], answer: @escaping Answer) async {
    state.withLock { $0.calls.append(payloads) }
    await body(payloads, answer)
  }

  func close() async { state.withLock { $0.isClosed = true } }
}
