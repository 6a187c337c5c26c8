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
    case (.checking(let purpose), .checked(let content)): delivery.checked(content, for: purpose, at: now)
    case (.checking(let purpose), .failed(let failure)): delivery.checkFailed(failure, for: purpose, at: now)
    case (.keeping, .done): delivery.decideByRules()
    case (.configuring, .configured(let answer)): delivery.configured(answer)
    case (.configuring, .failed(let failure)): delivery.configured(.wait(failure.message))
    case (.syncingChange(let answer), .done): delivery.accept(answer)
    case (.syncingChange, .failed(let failure)):
      delivery.attemptFailed("its bytes cannot be synced: \(failure.message)")
    case (.voiding, .done): delivery.go(.check, in: .judge(.checking(.verdict)))
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension Delivery {
  mutating func beginJudging() {
    if isRecovered {
      // If this process dies as well, the ledger says over which payload.
      return commit(
        [.setStarts(drop.starts + 1, of: drop.id, attempts: drop.attempts)], in: .judge(.countingStart))
    }
    go(.check, in: .judge(.checking(.verdict)))
  }

  fileprivate mutating func checked(_ content: Content, for purpose: JudgePhase.Purpose, at now: Int64) {
    let before = (size: drop.size, inode: drop.inode)
    apply(content)
    switch purpose {
    case .acceptingChange(let answer):
      if policy.isDurable { return go(.sync(.hold), in: .judge(.syncingChange(answer))) }
      return accept(answer)
    case .refusingChange(let decision):
      return conclude(decision, .same, at: now)
    case .verdict: break
    }
    var changes: [LedgerChange] = []
    // What a writer made of it since the claim is in its row, or a restart would take that for damage.
    if drop.size != before.size || drop.inode != before.inode { changes.append(.put(drop)) }
    if isRecovered {
      // This process lived through it.
      changes.append(.setStarts(drop.starts, of: drop.id, attempts: drop.attempts))
    }
    isRecovered = false
    if changes.isEmpty { decideByRules() } else { commit(changes, in: .judge(.keeping)) }
  }

  private mutating func apply(_ content: Content) {
    if let status = content.status {
      if isRecovered, status.size != drop.size {
        drop.verdict = .rejected(
          .damagedByPowerCut, message: "it had \(drop.size) bytes when it was taken and has \(status.size) now")
        drop.changed = status.changed
      } else {
        drop.becomeHeld(status)
      }
    }
    isJustClaimed = false
    drop.type = content.typed.type
    drop.claimedType = content.typed.claimedType
    drop.grade = content.typed.grade
    drop.sha256 = content.sha256 ?? drop.sha256
    typeMatches = content.typeMatches
    isForeignLink = content.isForeignLink
  }

  fileprivate mutating func checkFailed(_ failure: Failure, for purpose: JudgePhase.Purpose, at now: Int64) {
    if failure.kind == .missing {
      if case .verdict = purpose { return vanished(at: now) }
      return lost("it was removed while its handler had it", at: now)
    }
    if case .acceptingChange = purpose, failure.kind != .holdMissing {
      return attemptFailed("it cannot be read: \(failure.message)")
    }
    tryAgain(Wait(reading: drop, failure))
  }

  mutating func decideByRules() {
    if drop.isForced {
      return placeAccepted("released by an operator")
    }
    if drop.starts >= DeliveryPolicy.startsLimit {
      let message = "the daemon died \(drop.starts) times while it had this payload in hand"
      return place(.rejected(.crashes, message: message))
    }
    if let refusal = refusalByRules { return place(.rejected(refusal.code, message: refusal.message)) }
    // What came from the zone was asked about at its release.
    if drop.source != nil, policy.asksConfiguration { return go(.configure, in: .judge(.configuring)) }
    decideFurther()
  }

  private mutating func decideFurther() {
    if policy.asksHandler { go(.awaitWorker, in: .ask(.waitingForWorker)) } else { placeAccepted(nil) }
  }

  private var refusalByRules: AcceptRules.Refusal? {
    if case .rejected(let code, let message)? = drop.verdict { return (code, message) }
    if isForeignLink {
      return (
        .hardLinked, "it is a hard link to a file whose owner may not write to the directory it was dropped in"
      )
    }
    return policy.settings.accept.refusal(
      of: AcceptRules.Facts(
        size: drop.size, type: drop.type ?? "application/octet-stream", claimedType: drop.claimedType,
        grade: drop.grade ?? .unproved, typeMatches: typeMatches, ordinal: drop.ordinal))
  }

  fileprivate mutating func configured(_ answer: Configured) {
    switch answer {
    case .take(let directory):
      wishes.directory = directory ?? wishes.directory
      decideFurther()
    case .refuse(let reason): place(.rejected(.handler, message: reason))
    case .wait(let message): tryAgain(.init(.retry, message))
    }
  }

  /// A verdict on bytes that are no longer there is void; after the last attempt the payload is set aside.
  mutating func judgeAgain(as held: FileStatus, _ message: String) {
    becomeOther(held)
    if drop.attempts >= policy.attemptsLimit {
      return place(.rejected(.changed, message: "\(message), \(drop.attempts) times"))
    }
    if !policy.asksHandler { drop.attempts += 1 }
    // The row may have the void verdict, and the size that it was on.
    commit([.put(drop)], in: .judge(.voiding))
  }

  /// Takes over what lies in the hold now; what was found out about other bytes is void.
  mutating func becomeOther(_ held: FileStatus) {
    drop.becomeHeld(held)
    drop.state = .claiming
    drop.copyInode = nil
    drop.verdict = nil
    drop.sha256 = nil
    drop.type = nil
    drop.grade = nil
    isJustClaimed = false
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
