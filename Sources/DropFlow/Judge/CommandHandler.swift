package import DropEngine
import DropSystem

/// A program that decides: `OnDrop=` with `Mode=once`.
package struct CommandHandler: DropHandler {
  private let command: [String]
  private let timeout: Duration

  package init(command: [String], timeout: Duration) {
    self.command = command
    self.timeout = timeout
  }

  /// A process each.
  package var batchLimit: Int { 1 }

  package func decide(
    on payloads: [HeldPayload], answer: @escaping @Sendable (DropID, HandlerDecision) async -> Void
  ) async {
    for payload in payloads {
      let end = await HandlerProcess.run(
        command: command + [payload.path], environment: Self.environment(of: payload.drop, at: payload.path),
        input: HandlerInput(payload.drop, path: payload.path).line, timeout: timeout)
      await answer(payload.drop.id, HandlerDecision(end.outcome, report: end.report))
    }
  }

  private static func environment(of drop: Drop, at path: String) -> [(name: String, value: [UInt8])] {
    [
      ("DROP_ID", Array(drop.id.description.utf8)), ("DROP_ZONE", Array(drop.zone.utf8)),
      ("DROP_NAME", drop.location.lastComponent.bytes), ("DROP_LOCATION", drop.location.bytes),
      ("DROP_PATH", Array(path.utf8)), ("DROP_TYPE", Array((drop.type ?? "").utf8)),
      ("DROP_CLAIMED_TYPE", Array((drop.claimedType ?? "").utf8)),
      ("DROP_GRADE", Array((drop.grade?.rawValue ?? "").utf8)), ("DROP_BYTES", Array(String(drop.size).utf8)),
      ("DROP_ATTEMPT", Array(String(drop.attempts).utf8)),
    ]
  }
}
