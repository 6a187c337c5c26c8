import DropEngine
import DropSystem

/// Takes released payloads out of the zone: a batch of releases in, a batch of payloads in the hold out.
///
/// Steps 0 to 2 of the table in `RecoverPhase`. What cannot be taken stays in the zone, and staging hears why.
final class ClaimStage {
  private let context: FlowContext
  private let runner: StepRunner
  /// Batches that are on their way into the hold, and who waits for the last of them.
  private var running = 0
  private var waiters: [CheckedContinuation<Void, Never>] = []
  /// Set once nothing more is to be claimed.
  private(set) var isClosed = false

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  /// What the flow knows that decides about a batch.
  struct Conditions: Sendable {
    /// Why nothing may be claimed now.
    var trouble: String?
    /// Bytes that copies under way will still write to the box.
    var promisedBytes: Int64 = 0
    var load = StepRunner.Load()
  }

  /// Claims no more batches, and returns once those that were begun are in the hold or stay in the zone.
  nonisolated(nonsending) func close() async {
    isClosed = true
    context.claims.cancel()
    if running > 0 { await withCheckedContinuation { waiters.append($0) } }
  }

  /// What became of a batch.
  struct Outcome {
    /// In the hold.
    var claimed: [ClaimedPayload] = []
    /// Still in the zone.
    var refused: [ClaimRefusal] = []
  }

  /// Claims a batch, whose releases lie on one mount and have one operation. `finish` is called with what became of it,
  /// before a flow that retires goes on.
  nonisolated(nonsending) func run(
    _ batch: [Release], _ conditions: Conditions, finish: (Outcome) async -> Void
  ) async -> [ClaimedPayload] {
    running += 1
    let outcome = await claim(batch, conditions)
    await finish(outcome)
    running -= 1
    if running == 0 {
      for waiter in waiters { waiter.resume() }
      waiters = []
    }
    return outcome.claimed.map { payload in
      var payload = payload
      payload.key = nil
      payload.marker = nil
      return payload
    }
  }

  nonisolated(nonsending) private func claim(_ batch: [Release], _ conditions: Conditions) async -> Outcome {
    guard let first = batch.first else { return Outcome() }
    let isCopy = first.operation == .copy
    let place: ClaimPlace
    do throws(PlaceTrouble) {
      if let trouble = conditions.trouble { throw PlaceTrouble(trouble) }
      place = try ClaimPlace(context, at: first.mountLocation, wantsSnapshots: isCopy)
    } catch {
      return Outcome(refused: batch.map { ClaimRefusal($0.key, .init(.blocked, error.message)) })
    }
    let steps = ClaimSteps(context: context, place: place)
    var refusals: [ClaimRefusal] = []
    var payloads = await open(batch, steps, conditions, &refusals)
    // What was opened and is not begun any more stays.
    if isClosed {
      return Outcome(refused: refusals + payloads.compactMap { $0.key.map { ClaimRefusal($0, .changed) } })
    }
    await advance(&payloads, steps, conditions)
    return outcome(of: payloads, refusals)
  }

  /// Opens what is still as staging saw it, and counts the room that copies of it will need.
  nonisolated(nonsending) private func open(
    _ batch: [Release], _ steps: ClaimSteps, _ conditions: Conditions, _ refusals: inout [ClaimRefusal]
  ) async -> [ClaimedPayload] {
    let opened = await concurrentMap(batch) { part in
      var parents: [RawPath: Directory] = [:]
      return part.map { release in steps.open(release, &parents) }
    }
    var payloads: [ClaimedPayload] = []
    var room = Room(at: steps.place.box, promised: conditions.promisedBytes)
    for (release, result) in zip(batch, opened) {
      switch result {
      case .success(let payload):
        if let lack = steps.lackOfRoom(for: payload, in: &room) {
          refusals.append(ClaimRefusal(release.key, .init(.blocked, lack)))
        } else {
          payloads.append(payload)
        }
      case .failure(let refusal): refusals.append(ClaimRefusal(release.key, refusal))
      }
    }
    return payloads
  }

  /// Performs steps until each payload is in the hold, or stays in the zone.
  nonisolated(nonsending) private func advance(
    _ payloads: inout [ClaimedPayload], _ steps: ClaimSteps, _ conditions: Conditions
  ) async {
    while true {
      _ = await runner.run(&payloads, in: .claim, conditions.load)
      let claims = payloads.indices.filter { payloads[$0].delivery.stage == .claim }
      if claims.isEmpty { return }
      if isClosed {
        for index in claims { payloads[index].receive(.failed(.init(.changed))) }
        continue
      }
      let batch = claims.map { payloads[$0] }
      let isCopy = batch[0].drop.original != nil
      // Syncs and a commit took their time: a directory that has left the zone since takes its files with it.
      let gone = isCopy ? [] : steps.goneParents(of: batch)
      let taken =
        isCopy
        ? await concurrentMap(batch, isLong: true) { $0.map { steps.snapshot($0) } }
        : await serialMap(batch) { steps.take($0, isGone: gone.contains($0.drop.location.parent)) }
      for (index, payload) in zip(claims, taken) { payloads[index] = payload }
    }
  }

  private func outcome(of payloads: [ClaimedPayload], _ earlier: [ClaimRefusal]) -> Outcome {
    var outcome = Outcome(refused: earlier)
    for var payload in payloads {
      guard let key = payload.key else { continue }
      switch payload.delivery.step {
      case .stay(let refusal): outcome.refused.append(ClaimRefusal(key, refusal))
      // The ledger is broken: the row, if there is one, says what is left to do.
      case .parked: outcome.refused.append(ClaimRefusal(key, .changed))
      default:
        if let marker = payload.marker, payload.drop.original == nil { try? payload.parent?.unlink(marker) }
        payload.parent = nil
        outcome.claimed.append(payload)
      }
    }
    return outcome
  }
}
