import DropEngine
import DropSystem

/// From what staging released to what is judged.
extension ZoneFlow {
  /// Takes what staging released, in its order; returns at once.
  ///
  /// The task begins here only to go to the flow, which is on the pool's threads (SE-0417): begun there, it would be on
  /// its way through one of them more.
  package nonisolated func submit(_ releases: [Release]) {
    inbox.add(releases) { Task.immediate(executorPreference: pool) { await self.take() } }
  }

  /// Goes on with the claim in the same task: switching to another costs more than one small file.
  func take() async {
    let new = inbox.take()
    guard claimsGoOn else { return }
    claimQueue.append(new.releases)
    guard claimQueue.begin() else { return }
    let number = tasks.nextNumber()
    if let task = new.task { tasks.add(task, as: number) }
    await claimNext()
    tasks.remove(number)
  }

  var claimsGoOn: Bool { !isStopping && !isRetired }

  func startClaims() {
    guard claimsGoOn, claimQueue.begin() else { return }
    start { await $0.claimNext() }
  }

  /// Claims a batch, no faster than batches are placed; it is judged while the next one is claimed.
  func claimNext() async {
    if claimsGoOn, !placingHasRoom { await claimQueue.waitForRoom() }
    let batch = claimsGoOn ? claimQueue.next() : []
    startClaims()
    startBigClaims()
    let claimed = await claim(batch)
    claimQueue.end()
    startClaims()
    await judge.runInTurn(claimed) { judged, receipts in
      await dispatch(judged, receipts)
      await placeHere()
      continueClaims()
    }
  }

  func startBigClaims() {
    while claimsGoOn, let release = claimQueue.nextBig() {
      start { flow in
        let claimed = await flow.claim([release])
        await flow.judgeBeside(claimed)
        flow.claimQueue.endBig()
        flow.startBigClaims()
      }
    }
  }

  func claim(_ batch: [Release]) async -> [ClaimedPayload] {
    var conditions = ClaimStage.Conditions()
    conditions.trouble = waitingRoom.claimTrouble(box: settings.box) ?? handlers.overdueTrouble
    conditions.load = load
    conditions.load.unsyncedElse = claimQueue.runningBig > 0 ? .max : batch.first?.unsyncedBytes ?? 0
    if !copies.isIdle, let box = try? Directory(settings.box).status() {
      conditions.promisedBytes = context.reservations.promisedBytes(on: box.identity.device)
    }
    return await claim.run(batch, conditions) { outcome in
      for payload in outcome.claimed { reporter.add(payload.id) }
      // Counted twice for a moment rather than not at all.
      reporter.publish()
      // The originals of copies stay: one that is seen while its copy is in hand must not be taken again.
      let originals = outcome.claimed.compactMap(\.drop.copiedOriginal)
      if !originals.isEmpty { await context.observer.noted(originals) }
      if !outcome.claimed.isEmpty { context.observer.claimed(outcome.claimed.compactMap(\.key)) }
      if !outcome.refused.isEmpty { context.observer.notClaimed(outcome.refused) }
    }
  }

  /// How much is under way: with little, a step may wait for the disk on this actor's own thread.
  var load: StepRunner.Load { StepRunner.Load(isLight: reporter.count < concurrencyThreshold) }

  var placingHasRoom: Bool {
    judge.count + placeQueue.count + receipts.count + copies.count <= Self.placingLimit
  }

  func continueClaims() {
    if !claimsGoOn || placingHasRoom { claimQueue.continueWaiting() }
  }

  func judgeBeside(_ payloads: [ClaimedPayload]) async {
    let (judged, receipts) = await judge.run(payloads)
    await dispatch(judged, receipts)
  }
}
