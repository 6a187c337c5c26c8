/// In the hold: what the payload is by its content, and what the zone's rules say of that. Step 3.
enum JudgePhase: Hashable, Sendable {
  /// Counting a start that may die on the payload: an earlier process had it when it ended.
  case countingStart
  case checking(Purpose)
  /// Writing down what the check found to be different from the row.
  case keeping
  case configuring
  /// Putting what a handler made of its payload on the disk.
  indirect case syncingChange(HandlerAnswer)
  /// Writing down that an earlier verdict is void.
  case voiding

  /// What a check is for.
  enum Purpose: Hashable, Sendable {
    case verdict
    /// The handler changed the payload and accepted it.
    indirect case acceptingChange(HandlerAnswer)
    /// The handler changed the payload and did not accept it.
    indirect case refusingChange(HandlerDecision)
  }

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.countingStart, .done): delivery.go(.check, in: .judge(.checking(.verdict)))
    case (.checking(let purpose), .checked(let content)): Self.checked(content, for: purpose, &delivery, at: now)
    case (.checking(let purpose), .failed(let failure)): Self.checkFailed(failure, for: purpose, &delivery, at: now)
    case (.keeping, .done): Self.decideByRules(&delivery)
    case (.configuring, .configured(let answer)): Self.configured(answer, &delivery)
    case (.configuring, .failed(let failure)): Self.configured(.wait(failure.message), &delivery)
    case (.syncingChange(let answer), .done):
      delivery.isSynced = true
      AskPhase.accept(answer, &delivery)
    case (.syncingChange, .failed(let failure)):
      AskPhase.attemptFailed("its bytes cannot be synced: \(failure.message)", &delivery)
    case (.voiding, .done): delivery.go(.check, in: .judge(.checking(.verdict)))
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension JudgePhase {
  static func begin(_ delivery: inout Delivery) {
    if delivery.isRecovered {
      // If this process dies as well, the ledger says over which payload.
      return delivery.commit(
        [.setStarts(delivery.drop.starts + 1, of: delivery.drop.id, attempts: delivery.drop.attempts)],
        in: .judge(.countingStart))
    }
    delivery.go(.check, in: .judge(.checking(.verdict)))
  }

  private static func checked(
    _ content: Delivery.Content, for purpose: Purpose, _ delivery: inout Delivery, at now: Int64
  ) {
    let before = (size: delivery.drop.size, inode: delivery.drop.inode)
    apply(content, &delivery)
    switch purpose {
    case .acceptingChange(let answer):
      if delivery.policy.isDurable { return delivery.go(.sync(.hold), in: .judge(.syncingChange(answer))) }
      return AskPhase.accept(answer, &delivery)
    case .refusingChange(let decision):
      return AskPhase.conclude(decision, .same, &delivery, at: now)
    case .verdict: break
    }
    var changes: [LedgerChange] = []
    // What a writer made of it since the claim is in its row, or a restart would take that for damage.
    if delivery.drop.size != before.size || delivery.drop.inode != before.inode { changes.append(.put(delivery.drop)) }
    if delivery.isRecovered {
      // This process lived through it.
      changes.append(.setStarts(delivery.drop.starts, of: delivery.drop.id, attempts: delivery.drop.attempts))
    }
    delivery.isRecovered = false
    if changes.isEmpty { decideByRules(&delivery) } else { delivery.commit(changes, in: .judge(.keeping)) }
  }

  private static func apply(_ content: Delivery.Content, _ delivery: inout Delivery) {
    if let status = content.status {
      if delivery.isRecovered, status.size != delivery.drop.size {
        delivery.drop.verdict = .rejected(
          .damagedByPowerCut, message: "it had \(delivery.drop.size) bytes when it was taken and has \(status.size) now"
        )
        delivery.drop.changed = status.changed
      } else {
        if status.size != delivery.drop.size || status.modified != delivery.drop.modified { delivery.isSynced = false }
        delivery.drop.becomeHeld(status)
      }
    }
    delivery.isJustClaimed = false
    delivery.drop.type = content.typed.type
    delivery.drop.claimedType = content.typed.claimedType
    delivery.drop.grade = content.typed.grade
    delivery.drop.sha256 = content.sha256 ?? delivery.drop.sha256
    delivery.typeMatches = content.typeMatches
    delivery.isForeignLink = content.isForeignLink
  }

  private static func checkFailed(
    _ failure: Delivery.Failure, for purpose: Purpose, _ delivery: inout Delivery, at now: Int64
  ) {
    if failure.kind == .missing {
      if case .verdict = purpose { return PlacePhase.vanished(&delivery, at: now) }
      return PlacePhase.lost("it was removed while its handler had it", &delivery, at: now)
    }
    if case .acceptingChange = purpose, failure.kind != .holdMissing {
      return AskPhase.attemptFailed("it cannot be read: \(failure.message)", &delivery)
    }
    delivery.tryAgain(Delivery.Wait(reading: delivery.drop, failure))
  }

  static func decideByRules(_ delivery: inout Delivery) {
    if delivery.drop.isForced {
      return PlacePhase.placeAccepted("released by an operator", &delivery)
    }
    if delivery.drop.starts >= DeliveryPolicy.startsLimit {
      let message = "the daemon died \(delivery.drop.starts) times while it had this payload in hand"
      return PlacePhase.place(.rejected(.crashes, message: message), &delivery)
    }
    if let refusal = refusalByRules(delivery) {
      return PlacePhase.place(.rejected(refusal.code, message: refusal.message), &delivery)
    }
    // What came from the zone was asked about at its release.
    if delivery.drop.source != nil, delivery.policy.asksConfiguration {
      return delivery.go(.configure, in: .judge(.configuring))
    }
    decideFurther(&delivery)
  }

  private static func decideFurther(_ delivery: inout Delivery) {
    if delivery.policy.asksHandler {
      delivery.go(.awaitWorker, in: .ask(.waitingForWorker))
    } else {
      PlacePhase.placeAccepted(nil, &delivery)
    }
  }

  private static func refusalByRules(_ delivery: Delivery) -> AcceptRules.Refusal? {
    if case .rejected(let code, let message)? = delivery.drop.verdict { return (code, message) }
    if delivery.isForeignLink {
      return (
        .hardLinked, "it is a hard link to a file whose owner may not write to the directory it was dropped in"
      )
    }
    return delivery.policy.settings.accept.refusal(
      of: AcceptRules.Facts(
        size: delivery.drop.size, type: delivery.drop.type ?? "application/octet-stream",
        claimedType: delivery.drop.claimedType,
        grade: delivery.drop.grade ?? .unproved, typeMatches: delivery.typeMatches, ordinal: delivery.drop.ordinal))
  }

  private static func configured(_ answer: Delivery.Configured, _ delivery: inout Delivery) {
    switch answer {
    case .take(let directory):
      delivery.wishes.directory = directory ?? delivery.wishes.directory
      decideFurther(&delivery)
    case .refuse(let reason): PlacePhase.place(.rejected(.handler, message: reason), &delivery)
    case .wait(let message): delivery.tryAgain(.init(.retry, message))
    }
  }

  /// A verdict on bytes that are no longer there is void; after the last attempt the payload is set aside.
  static func judgeAgain(as held: FileStatus, _ message: String, _ delivery: inout Delivery) {
    becomeOther(held, &delivery)
    if delivery.drop.attempts >= delivery.policy.attemptsLimit {
      return PlacePhase.place(.rejected(.changed, message: "\(message), \(delivery.drop.attempts) times"), &delivery)
    }
    if !delivery.policy.asksHandler { delivery.drop.attempts += 1 }
    // The row may have the void verdict, and the size that it was on.
    delivery.commit([.put(delivery.drop)], in: .judge(.voiding))
  }

  /// Takes over what lies in the hold now; what was found out about other bytes is void.
  static func becomeOther(_ held: FileStatus, _ delivery: inout Delivery) {
    delivery.drop.becomeHeld(held)
    delivery.isSynced = false
    delivery.drop.state = .claiming
    delivery.drop.copyInode = nil
    delivery.drop.verdict = nil
    delivery.drop.sha256 = nil
    delivery.drop.type = nil
    delivery.drop.grade = nil
    delivery.isJustClaimed = false
  }
}

extension Delivery.Wait {
  /// Why a payload in the hold cannot be read.
  init(reading drop: Drop, _ failure: Delivery.Failure) {
    if failure.kind == .holdMissing {
      self.init(.blocked, "its hold '\(Escaping.escape(drop.holdPath))' is not there")
    } else {
      self.init(.retry, "it cannot be read: \(failure.message)")
    }
  }
}

extension Drop {
  /// Takes over what is seen of the file that lies in the hold under this row's name.
  mutating func becomeHeld(_ held: FileStatus) {
    if var copied = original, copied.sha256 == nil, held.size != size || held.modified != modified {
      copied.size = copied.size ?? size
      copied.sha256 = sha256
      original = copied
    }
    inode = held.identity.inode
    birth = held.identity.birth
    size = held.size
    modified = held.modified
    changed = held.changed
    links = held.links
  }
}
