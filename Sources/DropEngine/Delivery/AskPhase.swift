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
    case (.waitingForWorker, .workerFree): Self.beginAttempt(&delivery)
    case (.committingAttempt, .done): delivery.go(.ask, in: .ask(.asking))
    case (.committingAttempt, .failed(let failure)):
      delivery.drop.attempts -= 1
      delivery.wait(
        .init(.blocked, failure.message, cause: .ledger), then: .awaitWorker, in: .ask(.waitingForWorker))
    case (.asking, .answered(let outcome, let report, let retryAfter)):
      Self.answered(HandlerDecision(outcome: outcome, retryAfter: retryAfter), report, &delivery)
    case (.countingStart(let decision), .done): Self.inspect(after: decision, &delivery)
    case (.inspecting(let decision), .inspected(let held, let nameIsFree)):
      Self.inspected(held, nameIsFree: nameIsFree, decision, &delivery, at: now)
    case (.inspecting, .failed(let failure)): Self.inspectionFailed(failure, &delivery)
    case (.keeping(let wait), .done), (.keeping(let wait), .failed):
      delivery.wait(wait, then: .awaitWorker, in: .ask(.waitingForWorker))
    case (.takingBack, .done), (.takingBack, .failed): delivery.park()
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension AskPhase {
  private static func beginAttempt(_ delivery: inout Delivery) {
    delivery.drop.attempts += 1
    var row = delivery.drop
    row.starts += 1
    delivery.commit([.put(row)], in: .ask(.committingAttempt))
  }

  private static func answered(
    _ decision: HandlerDecision, _ report: Receipt.HandlerReport?, _ delivery: inout Delivery
  ) {
    delivery.drop.handler = report
    if case .void = decision.outcome {
      delivery.drop.attempts -= 1
      return delivery.commit([.put(delivery.drop)], in: .ask(.takingBack))
    }
    if delivery.isCrashSuspect {
      return delivery.commit(
        [.setStarts(delivery.drop.starts, of: delivery.drop.id, attempts: delivery.drop.attempts)],
        in: .ask(.countingStart(decision)))
    }
    inspect(after: decision, &delivery)
  }

  private static func inspect(after decision: HandlerDecision, _ delivery: inout Delivery) {
    delivery.go(.inspect, in: .ask(.inspecting(decision)))
  }

  private static func inspectionFailed(_ failure: Delivery.Failure, _ delivery: inout Delivery) {
    // A handler that was asked about a payload that was not there is asked again. Otherwise the verdict stands until
    // the payload can be seen.
    let wait = Delivery.Wait(reading: delivery.drop, failure)
    if wait.waiting == .blocked {
      withdrawAttempt(wait, &delivery)
    } else {
      delivery.tryAgain(wait)
    }
  }

  private static func inspected(
    _ held: Delivery.Held, nameIsFree: Bool, _ decision: HandlerDecision, _ delivery: inout Delivery, at now: Int64
  ) {
    var decision = decision
    switch held {
    case .same, .gone: conclude(decision, held, nameIsFree: nameIsFree, &delivery, at: now)
    case .changed(let status):
      guard decision.outcome.refuses else {
        // Its row says what goes back, or recovery would not know it.
        if case .notYet = decision.outcome { JudgePhase.becomeOther(status, &delivery) }
        return conclude(decision, held, nameIsFree: nameIsFree, &delivery, at: now)
      }
      delivery.drop.warn(["its handler changed it"])
      JudgePhase.becomeOther(status, &delivery)
      delivery.go(.check, in: .judge(.checking(.refusingChange(decision))))
    case .renamed(let entry, let status, let message):
      delivery.drop.entry = entry
      if case .accepted = decision.outcome { decision.outcome = .payloadRefused(message) }
      delivery.drop.warn(["its handler gave it another name in the hold"])
      JudgePhase.becomeOther(status, &delivery)
      delivery.go(.check, in: .judge(.checking(.refusingChange(decision))))
    case .unusable(let message): PlacePhase.lost(message, &delivery, at: now)
    }
  }

  static func conclude(
    _ decision: HandlerDecision, _ held: Delivery.Held, nameIsFree: Bool = false, _ delivery: inout Delivery,
    at now: Int64
  ) {
    switch decision.outcome {
    case .accepted(let answer): acceptInspected(answer, held, nameIsFree: nameIsFree, &delivery, at: now)
    case .rejected(let message):
      if held == .gone {
        return PlacePhase.lost("the handler removed it and refused it: \(message)", &delivery, at: now)
      }
      PlacePhase.place(.rejected(.handler, message: message), &delivery)
    case .notYet(let message):
      if held == .gone {
        return PlacePhase.lost(
          "the handler removed it and said not yet" + (message.map { ": \($0)" } ?? ""), &delivery, at: now)
      }
      ReturnPhase.putBack(message ?? "the handler said not yet", retryAfter: decision.retryAfter, &delivery)
    case .failed(let message):
      if held == .gone { return PlacePhase.lost("the handler removed it and failed: \(message)", &delivery, at: now) }
      attemptFailed(message, &delivery)
    case .payloadRefused(let message):
      if held == .gone { return PlacePhase.lost(message, &delivery, at: now) }
      PlacePhase.place(.rejected(.handlerFailed, message: message), &delivery)
    case .blocked(let why):
      let command = delivery.policy.settings.handler.command?.first
      let message = command.map { "\(why): '\(Escaping.escape($0))'" } ?? why
      withdrawAttempt(.init(.blocked, message, cause: .handler), &delivery)
    case .wait(let message): withdrawAttempt(.init(.retry, message), &delivery)
    case .void: delivery.park()
    }
  }

  private static func acceptInspected(
    _ answer: HandlerAnswer, _ held: Delivery.Held, nameIsFree: Bool, _ delivery: inout Delivery, at now: Int64
  ) {
    switch held {
    case .gone: PlacePhase.finish(outcome: .taken, message: answer.reason, &delivery, at: now)
    case .changed(let status) where delivery.policy.settings.handler.changes:
      JudgePhase.becomeOther(status, &delivery)
      delivery.go(.check, in: .judge(.checking(.acceptingChange(answer))))
    case .changed(let status): JudgePhase.judgeAgain(as: status, "changed during judgement", &delivery)
    default:
      if answer.operation == .copy, delivery.drop.operation == .move {
        if nameIsFree {
          delivery.drop.operation = .copy
        } else {
          delivery.drop.warn(["the handler asked for a copy, and its name in the zone is taken: moved"])
        }
      }
      accept(answer, &delivery)
    }
  }

  static func accept(_ answer: HandlerAnswer, _ delivery: inout Delivery) {
    delivery.wishes.directory = answer.destination ?? delivery.wishes.directory
    delivery.wishes.name = answer.name
    PlacePhase.placeAccepted(answer.reason, &delivery)
  }

  /// An attempt that counts and says nothing about the payload.
  static func attemptFailed(_ message: String, _ delivery: inout Delivery) {
    if delivery.drop.attempts >= delivery.policy.attemptsLimit {
      return PlacePhase.place(.rejected(.handlerFailed, message: message), &delivery)
    }
    delivery.commit([.put(delivery.drop)], in: .ask(.keeping(.init(.retry, message))))
  }

  /// Takes back an attempt that was none, and asks again later.
  private static func withdrawAttempt(_ wait: Delivery.Wait, _ delivery: inout Delivery) {
    delivery.drop.attempts -= 1
    delivery.commit([.put(delivery.drop)], in: .ask(.keeping(wait)))
  }
}

extension Delivery {
  /// Whether the daemon may have died of the payload in an earlier process.
  package var isCrashSuspect: Bool { drop.starts > 0 }
  /// Whether a process, the daemon's or the handler's, may have died of it: it is asked about alone.
  package var isAskedAlone: Bool { isCrashSuspect || drop.attempts > 0 }
}
