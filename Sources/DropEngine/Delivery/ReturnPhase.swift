/// Back under its own name in the zone, after "not yet": its sender may go on with it there.
///
/// The row says `returning` before the rename, and is closed once both directories are synced. Where the name belongs
/// to a newer file by now, the payload waits in the hold and its handler is asked again.
enum ReturnPhase: Hashable, Sendable {
  case committing(Reason)
  case renaming(Reason)
  case syncingHold
  case syncingOrigin
  /// A copy is given up only where its original is still there: otherwise it is all there is.
  case findingOriginal(Reason)
  case removingCopy(Reason)
  case syncingRemoval(Reason)
  case closing(Reason?)

  /// What the handler said, and when it is asked again.
  struct Reason: Hashable, Sendable {
    var message: String
    var delay: Duration
  }

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.committing(let reason), .done):
      delivery.go(.rename(.hold, to: .origin), in: .giveBack(.renaming(reason)))
    case (.renaming(let reason), .renamed): delivery.isBackInZone(reason, at: now)
    case (.renaming(let reason), .failed(let failure)): delivery.notPutBack(reason, failure, at: now)
    case (.syncingHold, .done): delivery.go(.syncDirectory(.origin), in: .giveBack(.syncingOrigin))
    case (.syncingOrigin, .done): delivery.closeReturned(at: now)
    // Its sender has moved or removed the directory, and the payload with it.
    case (.syncingOrigin, .failed(let failure)) where failure.kind == .missing: delivery.closeReturned(at: now)
    case (.syncingHold, .failed(let failure)), (.syncingOrigin, .failed(let failure)):
      delivery.tryAgain(.init(.blocked, "it is back in the zone, and that cannot be synced: \(failure.message)"))
    case (.findingOriginal(let reason), .found(let found)): delivery.giveUpCopy(reason, found)
    case (.removingCopy(let reason), .done):
      if delivery.policy.isDurable {
        delivery.go(.syncDirectory(.hold), in: .giveBack(.syncingRemoval(reason)))
      } else {
        delivery.closeReturned(reason, at: now)
      }
    case (.syncingRemoval(let reason), .done): delivery.closeReturned(reason, at: now)
    case (.findingOriginal(let reason), .failed(let failure)), (.removingCopy(let reason), .failed(let failure)),
      (.syncingRemoval(let reason), .failed(let failure)):
      delivery.askAgain("\(reason.message); its copy cannot be removed: \(failure.message)")
    case (.closing, .done): delivery.end(.leftInZone(AttemptCount(of: delivery.drop)))
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension Delivery {
  mutating func putBack(_ message: String, retryAfter: Duration?) {
    let doublings = min(max(drop.attempts - 1, 0), 6)
    let delay = retryAfter ?? min(.seconds(1) * (1 << doublings), .seconds(60))
    let reason = ReturnPhase.Reason(message: message, delay: delay)
    // A reject that is tried again has no name in the zone.
    if drop.source != nil { return askAgain(message) }
    if drop.original != nil { return go(.findNames, in: .giveBack(.findingOriginal(reason))) }
    drop.state = .returning
    commit([.put(drop)], in: .giveBack(.committing(reason)))
  }

  /// What the handler said of a payload that is about to be back in the zone, and how long it is left alone there.
  package var returnReason: (message: String, delay: Duration)? {
    switch phase {
    case .giveBack(.renaming(let reason)), .giveBack(.closing(let reason?)): (reason.message, reason.delay)
    default: nil
    }
  }

  fileprivate mutating func isBackInZone(_ reason: ReturnPhase.Reason?, at now: Int64) {
    if policy.isDurable {
      go(.syncDirectory(.hold), in: .giveBack(.syncingHold))
    } else {
      closeReturned(at: now)
    }
  }

  fileprivate mutating func notPutBack(_ reason: ReturnPhase.Reason, _ failure: Failure, at now: Int64) {
    drop.state = .claiming
    if failure.kind == .missing { return vanished(at: now) }
    askAgain("\(reason.message); it cannot be put back: \(failure.message)")
  }

  fileprivate mutating func askAgain(_ message: String) {
    wait(.init(.retry, message), then: .awaitWorker, in: .ask(.waitingForWorker))
  }

  fileprivate mutating func giveUpCopy(_ reason: ReturnPhase.Reason, _ found: Found) {
    guard found.hasOriginal(of: drop) else { return askAgain("\(reason.message); its original is not there") }
    go(.remove(.hold), in: .giveBack(.removingCopy(reason)))
  }

  /// Ends the row of what is in the zone; its attempts stay, by identity. It may have been released again already: then
  /// the row is another one.
  mutating func closeReturned(_ reason: ReturnPhase.Reason? = nil, at now: Int64) {
    var changes: [LedgerChange] = [
      .removeIfState(drop.id, drop.state), .putAttempts(AttemptCount(of: drop), at: now),
    ]
    if drop.original != nil {
      changes.append(.removeOriginal(zone: drop.zone, location: drop.location, of: drop.id))
    }
    commit(changes, in: .giveBack(.closing(reason)))
  }

  /// Puts both directories on the disk and closes the row of a payload that recovery found back in the zone.
  mutating func finishReturn(at now: Int64) { isBackInZone(nil, at: now) }
}
