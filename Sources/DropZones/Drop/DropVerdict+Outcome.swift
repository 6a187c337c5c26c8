package import DropEngine

extension DropVerdict {
  /// What follows for the payload, in the words that commands' verdicts come down to as well.
  ///
  /// A name or place that leads out of the box makes the attempt a failed one; when to ask again is in `decision`.
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

  /// Nil for what is no acceptance after all.
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
    // The box itself is a place too.
    if let path = destination?.path.raw, !path.isEmpty { answer.destination = try HandlerAnswer.destination(path) }
    return answer
  }
}
