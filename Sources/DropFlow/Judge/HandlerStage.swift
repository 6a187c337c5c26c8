import DropEngine
import DropSystem

/// Asks the zone's handler: undecided payloads in, payloads with an answer out. Step 3 of the table in `RecoverPhase`.
///
/// Payloads of one session that are ready are asked about together. One over which a process may have died, the
/// daemon's or the handler's, is asked about alone: only then is it known whether it was the one.
final class HandlerStage {
  private let context: FlowContext
  private let runner: StepRunner
  private var queue = Queue<ClaimedPayload>()
  private var running = 0
  /// Whether the call under way is about a payload that the daemon may have died of.
  private var isSuspectAsked = false
  /// The turn that was taken for it.
  private var suspectTurn: Int?
  private var nextCall = 0
  /// What handlers are asked about now, by call.
  private var asked: [Int: [DropID: ClaimedPayload]] = [:]
  /// Calls that have not returned although their time is over.
  private var overdue: Set<Int> = []
  private var isStopping: Bool { context.copies.isCancelled }

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  func append(_ payload: ClaimedPayload) {
    var payload = payload
    payload.closeFiles()
    queue.append(payload)
  }

  /// Whether nobody is left to be asked about.
  var isIdle: Bool { running == 0 && queue.isEmpty }

  /// Why nobody can be asked, while every worker is taken by a call that does not return.
  var overdueTrouble: String? {
    guard overdue.count >= context.settings.handler.workers else { return nil }
    let calls = overdue.count == 1 ? "a call has" : "\(overdue.count) calls have"
    return "the handler is unavailable: \(calls) not returned after \(context.settings.handler.timeout.formatted)"
  }

  /// The next payloads to be asked about, if a worker is free; `run` is to be called with them.
  func next() -> [ClaimedPayload]? {
    guard !isStopping, let handler = context.plan.handler, let first = queue.first, hasWorker(for: first) else {
      return nil
    }
    running += 1
    isSuspectAsked = first.delivery.isCrashSuspect
    return queue.take(handler.batchLimit) { first, next in
      !first.delivery.isAskedAlone && !next.delivery.isAskedAlone && next.session == first.session
    }
  }

  /// One over which the daemon may have died is asked about while nobody else is, except for overdue calls.
  private func hasWorker(for payload: ClaimedPayload) -> Bool {
    guard running < context.settings.handler.workers, !isSuspectAsked else { return false }
    return !payload.delivery.isCrashSuspect || running == overdue.count
  }

  /// Asks about a batch; `finish` gets each payload as soon as it has left this stage.
  nonisolated(nonsending) func run(
    _ batch: [ClaimedPayload], by handler: any DropHandler,
    relay: @escaping @Sendable (DropID, HandlerDecision, _ call: Int) async -> Void,
    finish: ([ClaimedPayload], [ReceiptRecord]) async -> Void
  ) async {
    let isSuspect = isSuspectAsked
    if isSuspect { suspectTurn = await context.suspects.take() }
    if isStopping {
      running -= 1
      return await endSuspicion(isSuspect)
    }
    var payloads = batch
    for index in payloads.indices { payloads[index].receive(.workerFree) }
    let receipts = await runner.run(&payloads, in: .handler)
    let ready = payloads.filter { $0.delivery.step == .ask }
    let left = payloads.filter { $0.delivery.step != .ask }
    if !left.isEmpty { await finish(left, receipts) }
    let call = nextCall
    nextCall += 1
    if !ready.isEmpty {
      asked[call] = Dictionary(ready.map { ($0.id, $0) }) { first, _ in first }
      await handler.decide(on: ready.map(HeldPayload.init)) { await relay($0, $1, call) }
      let silent = HandlerDecision(
        Task.isCancelled || isStopping ? .void : .failed("handler failed: it gave no answer"))
      for id in ready.map(\.id) { await relay(id, silent, call) }
    }
    asked[call] = nil
    running -= 1
    overdue.remove(call)
    await endSuspicion(isSuspect)
  }

  nonisolated(nonsending) private func endSuspicion(_ isSuspect: Bool) async {
    guard isSuspect, isSuspectAsked else { return }
    isSuspectAsked = false
    if let turn = suspectTurn.take() { await context.suspects.leave(turn) }
  }

  /// Takes a handler's answer, the first one for a payload, and performs steps until the payload has left this stage.
  nonisolated(nonsending) func answer(
    _ id: DropID, _ decision: HandlerDecision, in call: Int
  ) async -> (ClaimedPayload, [ReceiptRecord])? {
    guard var payload = asked[call]?.removeValue(forKey: id) else { return nil }
    if decision.isOverdue { overdue.insert(call) }
    let wantsReturn: Bool
    if case .accepted(let answer) = decision.outcome {
      wantsReturn = answer.operation == .copy
    } else {
      wantsReturn = false
    }
    let isSuspect = payload.delivery.isCrashSuspect
    payload.receive(.answered(decision.outcome, report: decision.report, retryAfter: decision.retryAfter))
    var payloads = [payload]
    var receipts = await runner.run(&payloads, in: .handler)
    if isSuspect { await endSuspicion(true) }
    while payloads[0].delivery.step == .inspect {
      payloads[0].receive(HeldInspection(context: context).inspect(payloads[0].drop, wantsReturn: wantsReturn))
      receipts += await runner.run(&payloads, in: .handler)
    }
    return (payloads[0], receipts)
  }

  /// Goes on with payloads whose inspection had to wait.
  nonisolated(nonsending) func resume(
    _ payload: ClaimedPayload
  ) async -> (ClaimedPayload, [ReceiptRecord]) {
    var payloads = [payload]
    var receipts: [ReceiptRecord] = []
    while true {
      receipts += await runner.run(&payloads, in: .handler)
      guard payloads[0].delivery.step == .inspect else { return (payloads[0], receipts) }
      payloads[0].receive(HeldInspection(context: context).inspect(payloads[0].drop, wantsReturn: true))
    }
  }
}

extension HeldPayload {
  init(_ payload: ClaimedPayload) {
    self.init(
      drop: payload.drop, path: payload.drop.holdPath + "/" + payload.drop.entry, session: payload.session)
  }
}
