import DropEngine
import DropSystem

/// Asking the handler: its attempt is in the ledger before it is called.
extension ZoneFlow {
  /// Calls handlers while there are payloads and workers.
  func handleNext() {
    guard !isStopping, let handler = plan.handler else { return }
    while let next = toHandle.first, hasWorker(for: next) {
      let batch = takeTogether(handler.batchLimit)
      handling += 1
      isSuspectAsked = next.isCrashSuspect
      start { await $0.handle(batch, by: handler) }
    }
  }

  /// One over which the daemon may have died is asked about while nobody else is, but for calls whose time is over.
  private func hasWorker(for payload: ClaimedPayload) -> Bool {
    guard handling < settings.handler.workers, !isSuspectAsked else { return false }
    return !payload.isCrashSuspect || handling == overdue.count
  }

  /// Those that are ready, of one session. One over which a process may have died, the daemon's or the handler's, is
  /// asked about alone: only then is it known whether it was the one.
  private func takeTogether(_ limit: Int) -> [ClaimedPayload] {
    toHandle.take(limit) { first, next in
      !first.isSuspect && !next.isSuspect && next.session == first.session
    }
  }

  private func handle(_ batch: [ClaimedPayload], by handler: any DropHandler) async {
    var batch = batch
    if isSuspectAsked {
      await suspects.take()
      if isStopping {
        handling -= 1
        return await endSuspicion()
      }
    }
    for index in batch.indices { batch[index].drop.attempts += 1 }
    let rows = batch.map { payload in
      var row = payload.drop
      row.starts += 1
      return LedgerChange.put(row)
    }
    do throws(LedgerError) {
      try await ledger.commit(rows)
    } catch {
      handling -= 1
      if isSuspectAsked { await endSuspicion() }
      for var payload in batch {
        payload.drop.attempts -= 1
        await waitInHand(payload, PayloadTrouble(waiting: .blocked, message: "\(error)")) { await $0.ask($1) }
      }
      return
    }
    let call = nextCall
    nextCall += 1
    asked[call] = Dictionary(batch.map { ($0.drop.id, $0) }) { first, _ in first }
    let payloads = batch.map {
      HeldPayload(drop: $0.drop, path: $0.drop.holdPath + "/" + $0.drop.entry, session: $0.session)
    }
    await handler.decide(on: payloads) { await self.answered($0, $1, in: call) }
    let silent = HandlerDecision(Task.isCancelled || isStopping ? .void : .failed("handler failed: it gave no answer"))
    for id in payloads.map(\.drop.id) { await answered(id, silent, in: call) }
    asked[call] = nil
    handling -= 1
    if overdue.remove(call) != nil { publishClaimedCount() }
    handleNext()
    await closeHandler()
  }

  /// The first answer for a payload is its verdict.
  private func answered(_ id: DropID, _ decision: HandlerDecision, in call: Int) async {
    guard var payload = asked[call]?.removeValue(forKey: id) else { return }
    if decision.isOverdue { overdue.insert(call) }
    payload.drop.handler = decision.report
    if payload.isCrashSuspect {
      // This process lives: if the next call ends it, that is not this payload's doing.
      _ = await commit([.setStarts(payload.drop.starts, of: payload.drop)])
      await endSuspicion()
    }
    await settle(payload, decision)
  }

  private func endSuspicion() async {
    isSuspectAsked = false
    await suspects.leave()
    handleNext()
  }

  /// Why nobody can be asked, while every worker is taken by a call that does not return.
  var overdueTrouble: String? {
    guard overdue.count >= settings.handler.workers else { return nil }
    let calls = overdue.count == 1 ? "a call has" : "\(overdue.count) calls have"
    return "the handler is not to be had: \(calls) not returned after \(settings.handler.timeout.formatted)"
  }

  /// Lets the handler go once a flow that gets nothing new has nobody left to ask about.
  func closeHandler() async {
    if isRetired, handling == 0, toHandle.isEmpty { await plan.handler?.close() }
  }

  /// Queues a payload for the handler.
  func ask(_ payload: ClaimedPayload) {
    toHandle.append(payload)
    handleNext()
  }

  private func settle(_ payload: ClaimedPayload, _ decision: HandlerDecision) async {
    var payload = payload
    // The daemon stops: as if it had not been asked.
    if case .void = decision.outcome { return await takeAttemptBack(payload) }
    handlerTrouble = nil
    let state: HeldState
    do throws(Errno) {
      state = try inspect(atHeld: payload.drop)
    } catch {
      let trouble = PayloadTrouble(reading: payload.drop, error)
      // Who was asked about a payload that was not there is asked again. Otherwise what cannot be seen is not gone, and
      // the verdict stands until it can.
      if trouble.waiting == .blocked { return await withdrawAttempt(payload, trouble) }
      await waitInHand(payload, trouble) { await $0.settle($1, decision) }
      return
    }
    switch state {
    case .same: await conclude(payload, decision, state)
    case .gone: await settleGone(payload, decision)
    case .changed(let status):
      guard decision.outcome.refuses else { return await conclude(payload, decision, state) }
      payload.drop.warn(["its handler changed it"])
      settleOther(payload, as: status, decision)
    }
  }

  /// Goes on with what lies in the hold now, and says of that what it is.
  private func settleOther(_ payload: ClaimedPayload, as held: FileStatus, _ decision: HandlerDecision) {
    var payload = payload
    payload.becomesOther(held)
    let other = payload
    start { flow in
      let (looked, trouble) = await offActor { flow.inspect(into: other) }
      if flow.isStopping { return await flow.takeAttemptBack(other) }
      if let trouble, trouble.isGone { return await flow.lost(other, trouble.message) }
      await flow.conclude(looked, decision, .same)
    }
  }

  /// Only what has left the hold is taken: what lies there under another name is no less the payload's.
  private func settleGone(_ payload: ClaimedPayload, _ decision: HandlerDecision) async {
    let left: LeftInHold?
    do throws(Errno) {
      left = try leftInHold(of: payload.drop)
    } catch {
      let trouble = PayloadTrouble(waiting: .retry, message: "its hold cannot be listed: \(error)")
      return await waitInHand(payload, trouble) { await $0.settle($1, decision) }
    }
    guard let left else { return await conclude(payload, decision, .gone) }
    let message = "the handler left \(left.text) in the hold '\(Escaping.escape(payload.drop.holdPath))'"
    log.warning(message, zone: name, id: payload.drop.id, location: payload.drop.location)
    guard let file = left.file else { return await lost(payload, message) }
    var payload = payload
    payload.drop.entry = file.entry
    var decision = decision
    if case .accepted = decision.outcome { decision.outcome = .payloadRefused(message) }
    payload.drop.warn(["its handler gave it another name in the hold"])
    settleOther(payload, as: file.status, decision)
  }

  private func conclude(_ payload: ClaimedPayload, _ decision: HandlerDecision, _ state: HeldState) async {
    var payload = payload
    switch decision.outcome {
    case .accepted(let answer):
      await accept(payload, answer, state)
    case .rejected(let message):
      if state == .gone { return await lost(payload, "the handler removed it and refused it: \(message)") }
      payload.drop.verdict = .rejected(.handler, message: message)
      place(payload)
    case .notYet(let message):
      if state == .gone {
        return await lost(payload, "the handler removed it and said not yet" + (message.map { ": \($0)" } ?? ""))
      }
      await putBack(payload, message ?? "the handler said not yet", retryAfter: decision.retryAfter)
    case .failed(let message):
      if state == .gone { return await lost(payload, "the handler removed it and failed: \(message)") }
      await fail(payload, message)
    case .payloadRefused(let message):
      if state == .gone { return await lost(payload, message) }
      payload.drop.verdict = .rejected(.handlerFailed, message: message)
      place(payload)
    case .blocked(let why):
      let message = settings.handler.command?.first.map { "\(why): '\(Escaping.escape($0))'" } ?? why
      handlerTrouble = message
      await withdrawAttempt(payload, PayloadTrouble(waiting: .blocked, message: message))
    case .wait(let message):
      await withdrawAttempt(payload, PayloadTrouble(waiting: .retry, message: message))
    case .void: break
    }
  }

  private func accept(_ payload: ClaimedPayload, _ answer: HandlerAnswer, _ state: HeldState) async {
    var payload = payload
    switch state {
    case .gone:
      let record = ReceiptRecord(
        payload.drop, outcome: .taken, code: nil, message: answer.reason, place: nil, finished: wallNow())
      await finish([(payload.drop, record)])
      return
    case .changed(let status) where settings.handler.changes:
      payload.becomesOther(status)
      let changed = payload
      // Beside the others: a digest takes long, and whoever answered is free for the next.
      start { await $0.acceptChanged(changed, answer) }
      return
    case .changed(let status):
      await judgeAgain(payload, as: status, "changed during judgement")
      return
    case .same: break
    }
    if answer.operation == .copy, payload.drop.operation == .move {
      if canReturn(payload.drop) {
        payload.drop.operation = .copy
      } else {
        payload.drop.warn(["the handler asked for a copy, and its name in the zone is taken: moved"])
      }
    }
    payload.drop.verdict = .accepted(message: answer.reason)
    payload.wishedDirectory = answer.destination ?? payload.wishedDirectory
    payload.wishedName = answer.name
    place(payload)
  }

  /// Looks into what the handler has made of its payload.
  private func acceptChanged(_ payload: ClaimedPayload, _ answer: HandlerAnswer) async {
    let (looked, trouble) = await offActor { self.inspect(into: payload) }
    if isStopping { return await takeAttemptBack(payload) }
    if let trouble, trouble.isGone { return await lost(payload, trouble.message) }
    if let trouble { return await fail(payload, trouble.message) }
    if settings.delivery.durable, let file = looked.file {
      // What came from the zone was synced there; these bytes are new.
      let errors = await Syncing.sync([file], unsyncedElse: 0)
      if let error = errors[0] { return await fail(looked, "its bytes cannot be synced: \(error)") }
    }
    await accept(looked, answer, .same)
  }

  /// A verdict on bytes that are no longer there is void; after the last attempt the payload is set aside.
  func judgeAgain(_ payload: ClaimedPayload, as held: FileStatus, _ message: String) async {
    var payload = payload
    payload.becomesOther(held)
    if payload.drop.attempts >= settings.handler.attempts {
      payload.drop.verdict = .rejected(.changed, message: "\(message), \(payload.drop.attempts) times")
      place(payload)
    } else {
      if plan.handler == nil { payload.drop.attempts += 1 }
      // The row may have the void verdict, and the size that it was on.
      guard await commit([.put(payload.drop)]) else { return }
      await judge([payload])
    }
  }

  /// Nothing is left of it but what its handler said.
  private func lost(_ payload: ClaimedPayload, _ message: String) async {
    let record = ReceiptRecord(
      payload.drop, outcome: .failed, code: .handlerFailed, message: message, place: nil, finished: wallNow())
    await finish([(payload.drop, record)])
  }

  private func fail(_ payload: ClaimedPayload, _ message: String) async {
    var payload = payload
    if payload.drop.attempts >= settings.handler.attempts {
      payload.drop.verdict = .rejected(.handlerFailed, message: message)
      place(payload)
      return
    }
    _ = await commit([.put(payload.drop)])
    await waitInHand(payload, PayloadTrouble(waiting: .retry, message: message)) { await $0.ask($1) }
  }

  /// Takes back an attempt that was none, and asks again later.
  private func withdrawAttempt(_ payload: ClaimedPayload, _ trouble: PayloadTrouble) async {
    await takeAttemptBack(payload)
    var payload = payload
    payload.drop.attempts -= 1
    await waitInHand(payload, trouble) { await $0.ask($1) }
  }

  private func takeAttemptBack(_ payload: ClaimedPayload) async {
    var drop = payload.drop
    drop.attempts -= 1
    try? await ledger.commit([.put(drop)])
  }

  /// What became of the payload in the hold while somebody else had its path.
  nonisolated func inspect(atHeld drop: Drop) throws(Errno) -> HeldState {
    let status: FileStatus
    do throws(Errno) {
      let file = try openHeld(drop)
      status = try FileStatus.read(at: file.number)
    } catch  where error == .noEntry && drop.isHoldThere {
      return .gone
    }
    let isSame =
      status.identity.inode == drop.inode && status.size == drop.size && status.modified == drop.modified
      && status.changed == drop.changed
    return isSame ? .same : .changed(status)
  }

  enum HeldState: Equatable {
    case same, gone
    case changed(FileStatus)
  }
}

extension ClaimedPayload {
  /// Takes over what lies in the hold now; what was found out of other bytes is void.
  fileprivate mutating func becomesOther(_ held: FileStatus) {
    file = nil
    drop.become(held)
    drop.state = .claiming
    drop.copyInode = nil
    drop.verdict = nil
    drop.sha256 = nil
    drop.type = nil
    drop.grade = nil
  }

  /// Whether the daemon died while it was looked at or asked about.
  fileprivate var isCrashSuspect: Bool { drop.starts > 0 }
  /// Whether a process, the daemon's or the handler's, may have died of it.
  fileprivate var isSuspect: Bool { isCrashSuspect || drop.attempts > 0 }
}
