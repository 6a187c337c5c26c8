/// What a handler decided, and when it can be asked again.
struct HandlerDecision: Hashable, Sendable {
  var outcome: HandlerOutcome
  var retryAfter: Duration?
}

/// The handler is asked: its attempt is in the ledger before it is called. Step 3.
enum AskPhase: Hashable, Sendable {
  case waitingForWorker
  case committingAttempt
  case asking
  /// This process lived through the call: the next one must not be counted against the payload.
  indirect case countingStart(HandlerDecision)
  indirect case inspecting(HandlerDecision)
  /// Writing down an attempt that counts, or one that was none, before the payload waits.
  indirect case keeping(Delivery.Wait)
  /// The daemon stops: the attempt is taken back.
  case takingBack

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.waitingForWorker, .workerFree): delivery.beginAttempt()
    case (.committingAttempt, .done): delivery.go(.ask, in: .ask(.asking))
    case (.committingAttempt, .failed(let failure)):
      delivery.drop.attempts -= 1
      delivery.wait(
        .init(.blocked, failure.message, cause: .ledger), then: .awaitWorker, in: .ask(.waitingForWorker))
    case (.asking, .answered(let outcome, let report, let retryAfter)):
      delivery.answered(HandlerDecision(outcome: outcome, retryAfter: retryAfter), report)
    case (.countingStart(let decision), .done): delivery.inspect(after: decision)
    case (.inspecting(let decision), .inspected(let held, let nameIsFree)):
      delivery.inspected(held, nameIsFree: nameIsFree, decision, at: now)
    case (.inspecting, .failed(let failure)): delivery.inspectionFailed(failure)
    case (.keeping(let wait), .done), (.keeping(let wait), .failed):
      delivery.wait(wait, then: .awaitWorker, in: .ask(.waitingForWorker))
    case (.takingBack, .done), (.takingBack, .failed): delivery.park()
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension Delivery {
  /// Whether the daemon may have died of the payload in an earlier process.
  package var isCrashSuspect: Bool { drop.starts > 0 }
  /// Whether a process, the daemon's or the handler's, may have died of it: it is asked about alone.
  package var isAskedAlone: Bool { isCrashSuspect || drop.attempts > 0 }

  fileprivate mutating func beginAttempt() {
    drop.attempts += 1
    var row = drop
    row.starts += 1
    commit([.put(row)], in: .ask(.committingAttempt))
  }

  fileprivate mutating func answered(_ decision: HandlerDecision, _ report: Receipt.HandlerReport?) {
    drop.handler = report
    if case .void = decision.outcome {
      drop.attempts -= 1
      return commit([.put(drop)], in: .ask(.takingBack))
    }
    if isCrashSuspect {
      return commit(
        [.setStarts(drop.starts, of: drop.id, attempts: drop.attempts)], in: .ask(.countingStart(decision)))
    }
    inspect(after: decision)
  }

  fileprivate mutating func inspect(after decision: HandlerDecision) {
    go(.inspect, in: .ask(.inspecting(decision)))
  }

  fileprivate mutating func inspectionFailed(_ failure: Failure) {
    // A handler that was asked about a payload that was not there is asked again. Otherwise the verdict stands until
    // the payload can be seen.
    let wait = Wait(reading: drop, failure)
    if wait.waiting == .blocked { withdrawAttempt(wait) } else { tryAgain(wait) }
  }

  fileprivate mutating func inspected(
    _ held: Held, nameIsFree: Bool, _ decision: HandlerDecision, at now: Int64
  ) {
    var decision = decision
    switch held {
    case .same, .gone: conclude(decision, held, nameIsFree: nameIsFree, at: now)
    case .changed(let status):
      guard decision.outcome.refuses else { return conclude(decision, held, nameIsFree: nameIsFree, at: now) }
      drop.warn(["its handler changed it"])
      becomeOther(status)
      go(.check, in: .judge(.checking(.refusingChange(decision))))
    case .renamed(let entry, let status, let message):
      drop.entry = entry
      if case .accepted = decision.outcome { decision.outcome = .payloadRefused(message) }
      drop.warn(["its handler gave it another name in the hold"])
      becomeOther(status)
      go(.check, in: .judge(.checking(.refusingChange(decision))))
    case .unusable(let message): lost(message, at: now)
    }
  }

  mutating func conclude(
    _ decision: HandlerDecision, _ held: Held, nameIsFree: Bool = false, at now: Int64
  ) {
    switch decision.outcome {
    case .accepted(let answer): acceptInspected(answer, held, nameIsFree: nameIsFree, at: now)
    case .rejected(let message):
      if held == .gone { return lost("the handler removed it and refused it: \(message)", at: now) }
      place(.rejected(.handler, message: message))
    case .notYet(let message):
      if held == .gone {
        return lost("the handler removed it and said not yet" + (message.map { ": \($0)" } ?? ""), at: now)
      }
      putBack(message ?? "the handler said not yet", retryAfter: decision.retryAfter)
    case .failed(let message):
      if held == .gone { return lost("the handler removed it and failed: \(message)", at: now) }
      attemptFailed(message)
    case .payloadRefused(let message):
      if held == .gone { return lost(message, at: now) }
      place(.rejected(.handlerFailed, message: message))
    case .blocked(let why):
      let command = policy.settings.handler.command?.first
      let message = command.map { "\(why): '\(Escaping.escape($0))'" } ?? why
      withdrawAttempt(.init(.blocked, message, cause: .handler))
    case .wait(let message): withdrawAttempt(.init(.retry, message))
    case .void: park()
    }
  }

  private mutating func acceptInspected(_ answer: HandlerAnswer, _ held: Held, nameIsFree: Bool, at now: Int64) {
    switch held {
    case .gone: finish(outcome: .taken, message: answer.reason, at: now)
    case .changed(let status) where policy.settings.handler.changes:
      becomeOther(status)
      go(.check, in: .judge(.checking(.acceptingChange(answer))))
    case .changed(let status): judgeAgain(as: status, "changed during judgement")
    default:
      if answer.operation == .copy, drop.operation == .move {
        if nameIsFree {
          drop.operation = .copy
        } else {
          drop.warn(["the handler asked for a copy, and its name in the zone is taken: moved"])
        }
      }
      accept(answer)
    }
  }

  mutating func accept(_ answer: HandlerAnswer) {
    wishes.directory = answer.destination ?? wishes.directory
    wishes.name = answer.name
    placeAccepted(answer.reason)
  }

  /// An attempt that counts and says nothing about the payload.
  mutating func attemptFailed(_ message: String) {
    if drop.attempts >= policy.attemptsLimit { return place(.rejected(.handlerFailed, message: message)) }
    commit([.put(drop)], in: .ask(.keeping(.init(.retry, message))))
  }

  /// Takes back an attempt that was none, and asks again later.
  private mutating func withdrawAttempt(_ wait: Wait) {
    drop.attempts -= 1
    commit([.put(drop)], in: .ask(.keeping(wait)))
  }
}
