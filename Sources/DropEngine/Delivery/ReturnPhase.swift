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
    case (.renaming, .renamed): Self.isBackInZone(&delivery, at: now)
    case (.renaming(let reason), .failed(let failure)): Self.notPutBack(reason, failure, &delivery, at: now)
    case (.syncingHold, .done): delivery.go(.syncDirectory(.origin), in: .giveBack(.syncingOrigin))
    case (.syncingOrigin, .done): Self.close(nil, &delivery, at: now)
    // Its sender has moved or removed the directory, and the payload with it.
    case (.syncingOrigin, .failed(let failure)) where failure.kind == .missing: Self.close(nil, &delivery, at: now)
    case (.syncingHold, .failed(let failure)), (.syncingOrigin, .failed(let failure)):
      delivery.tryAgain(.init(.blocked, "it is back in the zone, and that cannot be synced: \(failure.message)"))
    case (.findingOriginal(let reason), .found(let found)): Self.giveUpCopy(reason, found, &delivery)
    case (.removingCopy(let reason), .done):
      if delivery.policy.isDurable {
        delivery.go(.syncDirectory(.hold), in: .giveBack(.syncingRemoval(reason)))
      } else {
        Self.close(reason, &delivery, at: now)
      }
    case (.syncingRemoval(let reason), .done): Self.close(reason, &delivery, at: now)
    case (.findingOriginal(let reason), .failed(let failure)), (.removingCopy(let reason), .failed(let failure)),
      (.syncingRemoval(let reason), .failed(let failure)):
      Self.askAgain("\(reason.message); its copy cannot be removed: \(failure.message)", &delivery)
    case (.closing, .done): delivery.end(.leftInZone(AttemptCount(of: delivery.drop)))
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension ReturnPhase {
  static func putBack(_ message: String, retryAfter: Duration?, _ delivery: inout Delivery) {
    let doublings = min(max(delivery.drop.attempts - 1, 0), 6)
    let delay = retryAfter ?? min(.seconds(1) * (1 << doublings), .seconds(60))
    let reason = Reason(message: message, delay: delay)
    // A reject that is tried again has no name in the zone.
    if delivery.drop.source != nil { return askAgain(message, &delivery) }
    if delivery.drop.original != nil { return delivery.go(.findNames, in: .giveBack(.findingOriginal(reason))) }
    delivery.drop.state = .returning
    delivery.commit([.put(delivery.drop)], in: .giveBack(.committing(reason)))
  }

  private static func isBackInZone(_ delivery: inout Delivery, at now: Int64) {
    if delivery.policy.isDurable {
      delivery.go(.syncDirectory(.hold), in: .giveBack(.syncingHold))
    } else {
      close(nil, &delivery, at: now)
    }
  }

  private static func notPutBack(
    _ reason: Reason, _ failure: Delivery.Failure, _ delivery: inout Delivery, at now: Int64
  ) {
    delivery.drop.state = .claiming
    if failure.kind == .missing { return PlacePhase.vanished(&delivery, at: now) }
    askAgain("\(reason.message); it cannot be put back: \(failure.message)", &delivery)
  }

  private static func askAgain(_ message: String, _ delivery: inout Delivery) {
    delivery.wait(.init(.retry, message), then: .awaitWorker, in: .ask(.waitingForWorker))
  }

  private static func giveUpCopy(_ reason: Reason, _ found: Delivery.Found, _ delivery: inout Delivery) {
    guard found.hasOriginal(of: delivery.drop) else {
      return askAgain("\(reason.message); its original is not there", &delivery)
    }
    delivery.go(.remove(.hold), in: .giveBack(.removingCopy(reason)))
  }

  /// Ends the row of what is in the zone; its attempts stay, by identity. It may have been released again already: then
  /// the row is another one.
  static func close(_ reason: Reason?, _ delivery: inout Delivery, at now: Int64) {
    var changes: [LedgerChange] = [
      .removeIfState(delivery.drop.id, delivery.drop.state), .putAttempts(AttemptCount(of: delivery.drop), at: now),
    ]
    if delivery.drop.original != nil || delivery.mayBeNoted {
      changes.append(.removeOriginal(zone: delivery.drop.zone, location: delivery.drop.location, of: delivery.drop.id))
    }
    delivery.commit(changes, in: .giveBack(.closing(reason)))
  }

  /// Puts both directories on the disk and closes the row of a payload that recovery found back in the zone.
  static func finish(_ delivery: inout Delivery, at now: Int64) { isBackInZone(&delivery, at: now) }
}

extension Delivery {
  /// What the handler said of a payload that is about to be back in the zone, and how long it is left alone there.
  package var returnReason: (message: String, delay: Duration)? {
    switch phase {
    case .giveBack(.renaming(let reason)), .giveBack(.closing(let reason?)): (reason.message, reason.delay)
    default: nil
    }
  }
}
