import DropEngine
import DropSystem

/// From stage to stage, and into the waiting room and out of it.
extension ZoneFlow {
  /// Hands payloads to the stages that have their next steps, and tells of receipts that are on the disk.
  func dispatch(_ payloads: [ClaimedPayload], _ records: [ReceiptRecord] = []) async {
    reporter.report(records)
    for payload in payloads { await dispatch(payload) }
    startStages()
  }

  func dispatch(_ payload: ClaimedPayload) async {
    // Everything is parked: the rows say what is left to do.
    if isStopping { return }
    switch payload.delivery.stage {
    case .judge: start { await $0.judgeBeside([payload]) }
    case .handler where payload.delivery.step == .awaitWorker: handlers.append(payload)
    case .handler:
      start { flow in
        let (next, records) = await flow.handlers.resume(payload)
        await flow.dispatch([next], records)
      }
    case .place: dispatchToPlace(payload)
    case .copy: copies.append(payload)
    case .receipts: receipts.append(payload)
    case .giveBack: start { await $0.giveBack(payload) }
    case .recovery: start { await $0.recover(payload) }
    case .waiting: wait(payload)
    case .claim: break
    case .end: await end(payload)
    }
  }

  func dispatchToPlace(_ payload: ClaimedPayload) {
    guard case .compare = payload.delivery.step else { return placeQueue.append(payload) }
    start { flow in
      let context = flow.context
      var payload = payload
      let compared = payload
      payload.receive(await offActor { IdentityComparison(context: context).compare(compared) })
      await flow.dispatch([payload])
    }
  }

  /// Starts what is queued, as far as there are places for it.
  func startStages() {
    if isStopping { return }
    while let batch = handlers.next() { start { await $0.ask(batch) } }
    startPlacing()
    while let payload = copies.next() {
      start { flow in
        let (next, records) = await flow.copies.run(payload)
        await flow.dispatch([next], records)
        flow.leavePlaces()
        flow.continueClaims()
      }
    }
    if receipts.count > 0, !receipts.isRunning { startReceipts() }
  }

  func ask(_ batch: [ClaimedPayload]) async {
    guard let handler = plan.handler else { return }
    await handlers.run(batch, by: handler) { [weak self] id, decision, call in
      await self?.answered(id, decision, in: call)
    } finish: { payloads, records in
      await dispatch(payloads, records)
    }
    reporter.publish()
    startStages()
    await closeHandler()
  }

  func answered(_ id: DropID, _ decision: HandlerDecision, in call: Int) async {
    guard let (payload, records) = await handlers.answer(id, decision, in: call) else { return }
    if case .blocked = decision.outcome {} else { waitingRoom.open(.handler) }
    await dispatch([payload], records)
  }

  /// Lets the handler go once a flow that gets nothing new has nobody left to ask about.
  func closeHandler() async {
    if isRetired, handlers.isIdle { await plan.handler?.close() }
  }

  func startPlacing() {
    guard placeQueue.begin() else { return }
    start { await $0.placeAll() }
  }

  /// Places what is queued here and now, if that is little and nobody is at it.
  func placeHere() async {
    guard placeQueue.beginHere() else { return }
    await placeAll()
  }

  func placeAll() async {
    while !isStopping {
      let batch = placeQueue.next()
      if batch.isEmpty { break }
      continueClaims()
      let (placed, records) = await place.run(batch, shut: waitingRoom.shutPlaces, load)
      await dispatch(placed, records)
    }
    placeQueue.end()
    startPlacing()
    leavePlaces()
  }

  func startReceipts() {
    start { await $0.runReceipts() }
  }

  func runReceipts() async {
    await receipts.run {
      load
    } finish: { payloads, records in
      openPlaces(of: payloads)
      await dispatch(payloads, records)
      prune(payloads)
      continueClaims()
    }
  }

  func prune(_ payloads: [ClaimedPayload]) {
    guard settings.prune, !isStopping else { return }
    let left = EmptyDirectories.left(by: payloads.map(\.drop))
    if !left.isEmpty { start { await EmptyDirectories(context: $0.context).remove(left) } }
  }

  func giveBack(_ payload: ClaimedPayload) async {
    let (next, records) = await returns.run(payload)
    endUndo(next)
    await dispatch([next], records)
  }

  /// A payload of which nothing more is to be done in this process.
  func end(_ payload: ClaimedPayload) async {
    switch payload.delivery.step {
    case .leftInZone, .finished, .refused:
      reporter.remove(payload.id)
    default: break
    }
    if case .leftInZone = payload.delivery.step { await context.observer.settled(payload.id) }
  }
}

// MARK: - Waiting

extension ZoneFlow {
  func wait(_ payload: ClaimedPayload) {
    let call = waitingRoom.admit(payload)
    reporter.publish()
    guard let call else { return }
    start { flow in
      guard await flow.context.time.sleep(for: call.after) else { return }
      let payloads = flow.waitingRoom.take(call)
      flow.reporter.publish()
      await flow.dispatch(payloads)
    }
  }

  /// The mounts have changed: what was proved of places is proved again, and what waits for one tries at once.
  package func placesMayHaveChanged() async {
    context.holds.forget()
    await dispatch(waitingRoom.takeWaitingForPlaces())
  }

  func openPlaces(of payloads: [ClaimedPayload]) {
    for payload in payloads where payload.delivery.stage == .end {
      if let root = payload.drop.destinationRoot {
        waitingRoom.open(.place(root))
        waitingRoom.open(.sync(root))
      }
    }
    waitingRoom.open(.ledger)
  }

  func leavePlaces() {
    if placeQueue.isIdle, copies.isIdle, waitingRoom.forgetTried() { reporter.publish() }
  }
}
