import DropEngine
import DropFlow

/// The handler of a zone that is no longer declared. It puts undecided payloads back into the zone under their own names.
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
