package import DropEngine

extension DropVerdict {
  /// The outcome for the payload, in the form that is also used for the verdicts of commands.
  ///
  /// If the name or destination leads out of the box, the attempt has failed. `decision` has the time to ask again.
  package var outcome: HandlerOutcome {
    switch decision {
    case .accepted(let name, let destination, let operation):
      do throws(HandlerAnswer.Flaw) {
        return try Self.answer(name, destination, operation).map { .accepted($0) } ?? .rejected("forbidden")
      } catch {
        return .failed("the verdict cannot be used: \(error.message)")
      }
    case .rejected(let reason): return .rejected(Self.shown(reason) ?? "refused")
    case .notYet(let reason, _): return .notYet(Self.shown(reason))
    }
  }

  private static func shown(_ reason: String) -> String? {
    HandlerAnswer.reason(Array(reason.utf8))
  }

  /// Returns the answer of an acceptance; nil if the operation turns it into a refusal.
  private static func answer(
    _ name: String?, _ destination: DropConfiguration.Destination?, _ operation: DropOperation?
  ) throws(HandlerAnswer.Flaw) -> HandlerAnswer? {
    var answer = HandlerAnswer()
    switch operation {
    case .move: answer.operation = .move
    case .copy: answer.operation = .copy
    case .forbidden, .cancel: return nil
    case nil: break
    }
    if let name { answer.name = try HandlerAnswer.name(RawPath(name)) }
    // An empty path means the box itself.
    if let path = destination?.path.raw, !path.isEmpty { answer.destination = try HandlerAnswer.destination(path) }
    return answer
  }
}
