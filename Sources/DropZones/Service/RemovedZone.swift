import DropEngine
import DropFlow

/// Stands in for the handler of a zone that is no longer declared: what it has not decided on goes back to its name.
struct RemovedZone: DropHandler {
  var batchLimit: Int { 256 }

  func decide(
    on payloads: [HeldPayload], answer: @escaping @Sendable (DropID, HandlerDecision) async -> Void
  ) async {
    for payload in payloads {
      await answer(payload.drop.id, HandlerDecision(.notYet("its zone is no longer declared")))
    }
  }
}
