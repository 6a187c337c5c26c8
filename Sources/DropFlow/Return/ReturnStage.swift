import DropEngine
import DropSystem

/// Gives payloads back: those whose handler said "not yet", and deliveries that are undone. One payload in, the same in
/// the zone, or with another stage ahead of it, out.
final class ReturnStage {
  private let context: FlowContext
  private let runner: StepRunner

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  /// Performs steps until the payload has left this stage, or that of the claim, for a reject that is tried again.
  nonisolated(nonsending) func run(
    _ payload: ClaimedPayload, in stage: Delivery.Stage = .giveBack
  ) async -> (ClaimedPayload, [ReceiptRecord]) {
    var payloads = [payload]
    var receipts: [ReceiptRecord] = []
    while true {
      receipts += await runner.run(&payloads, in: stage)
      guard payloads[0].delivery.stage == stage, !context.copies.isCancelled else { break }
      let (before, context) = (payloads[0], context)
      switch before.delivery.step {
      case .findNames:
        payloads[0].receive(await offActor { NameFinder(context: context).find(before.drop) })
      case .copy:
        payloads[0] = await offActor { PayloadCopier(context: context).copy(before) }
      default: payloads[0].receive(.stopped)
      }
    }
    context.reservations.release(payload.id)
    // The original of a copy stays known, and so does that of a reject.
    if case .refused = payloads[0].delivery.step, payload.drop.state == .returning {
      await context.observer.notComing(payload.id, at: payload.drop.location)
    }
    return (payloads[0], receipts)
  }
}
