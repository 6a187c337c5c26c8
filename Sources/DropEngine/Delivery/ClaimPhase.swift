/// From the release to the hold: bytes synced, intent committed, renamed. Steps 0 to 2 of the table in `RecoverPhase`.
///
/// Where the operation is copy, a snapshot in the hold takes the place of the rename, and the original stays.
enum ClaimPhase: Hashable, Sendable {
  case syncing
  case committing
  case renaming
  case givingBack
  case syncingHold
  case syncingOrigin
  case copying
  case syncingSnapshot
  case syncingSnapshotName
  /// A snapshot that came to nothing goes before its row does.
  indirect case removingSnapshot(Delivery.Refusal)
  indirect case syncingRemoval(Delivery.Refusal)
  indirect case forgetting(Delivery.Refusal)

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery) {
    switch (self, event) {
    case (.syncing, .done):
      delivery.isSynced = true
      Self.commitIntent(&delivery)
    case (.syncing, .failed(let failure)):
      delivery.end(.stay(.init(.retry, "its bytes cannot be synced: \(failure.message)")))
    case (.committing, .done):
      if delivery.drop.original == nil {
        delivery.go(.rename(.origin, to: .hold), in: .claim(.renaming))
      } else {
        delivery.go(.copy(.origin, to: .hold), in: .claim(.copying))
      }
    case (.committing, .failed(let failure)): Self.intentNotCommitted(failure, &delivery)
    case (.renaming, .renamed(let held)): Self.claimed(held, &delivery)
    case (.renaming, .disturbed(let held)):
      delivery.drop.becomeHeld(held)
      delivery.isSynced = false
      delivery.go(.rename(.hold, to: .origin), in: .claim(.givingBack))
    case (.renaming, .failed(let failure)): Self.forgetClaim(.init(failure, .taking), &delivery)
    case (.copying, _), (.syncingSnapshot, _), (.syncingSnapshotName, _), (.removingSnapshot, _), (.syncingRemoval, _):
      receiveForSnapshot(event, &delivery)
    case (.givingBack, _), (.syncingHold, _), (.syncingOrigin, _): receiveGivingBack(event, &delivery)
    case (.forgetting(let refusal), .done): Self.refuseClaim(refusal, &delivery)
    case (.forgetting, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }

  /// Another file came along with the rename, or somebody opened it for writing: it goes back to its own name. Its row
  /// goes only when a power cut can no longer bring it back into the hold.
  private func receiveGivingBack(_ event: Delivery.Event, _ delivery: inout Delivery) {
    switch (self, event) {
    case (.givingBack, .renamed):
      if delivery.policy.isDurable {
        delivery.go(.syncDirectory(.hold), in: .claim(.syncingHold))
      } else {
        Self.forgetClaim(.changed, &delivery)
      }
    // Its name belongs to another file by now: it is judged as what it is.
    case (.givingBack, .failed): JudgePhase.begin(&delivery)
    case (.syncingHold, .done): delivery.go(.syncDirectory(.origin), in: .claim(.syncingOrigin))
    case (.syncingOrigin, .done): Self.forgetClaim(.changed, &delivery)
    case (_, .failed(let failure)):
      delivery.tryAgain(.init(.blocked, "it is back in the zone, and that cannot be synced: \(failure.message)"))
    default: break
    }
  }

  private func receiveForSnapshot(_ event: Delivery.Event, _ delivery: inout Delivery) {
    switch (self, event) {
    case (.copying, .copied(let copy)):
      delivery.drop.becomeSnapshot(copy)
      if delivery.policy.isDurable {
        delivery.go(.sync(.hold), in: .claim(.syncingSnapshot))
      } else {
        Self.snapshotIsHeld(&delivery)
      }
    case (.copying, .failed(let failure)), (.syncingSnapshot, .failed(let failure)),
      (.syncingSnapshotName, .failed(let failure)):
      delivery.go(.remove(.hold), in: .claim(.removingSnapshot(.init(failure, .copying))))
    case (.syncingSnapshot, .done):
      delivery.isSynced = true
      delivery.go(.syncDirectory(.hold), in: .claim(.syncingSnapshotName))
    case (.syncingSnapshotName, .done): Self.snapshotIsHeld(&delivery)
    case (.removingSnapshot(let refusal), .done):
      if delivery.policy.isDurable {
        delivery.go(.syncDirectory(.hold), in: .claim(.syncingRemoval(refusal)))
      } else {
        Self.forgetClaim(refusal, &delivery)
      }
    case (.syncingRemoval(let refusal), .done): Self.forgetClaim(refusal, &delivery)
    // Without its row, what is left of it would be taken for a payload: the row stays, and recovery removes both.
    case (.removingSnapshot(let refusal), .failed), (.syncingRemoval(let refusal), .failed):
      delivery.end(.stay(refusal))
    default: break
    }
  }
}

extension ClaimPhase {
  fileprivate static func commitIntent(_ delivery: inout Delivery) {
    var row = delivery.drop
    // A snapshot that a stop interrupts is taken and asked about again, and so has no verdict.
    if row.original != nil { row.verdict = nil }
    if row.original == nil, let directory = delivery.wishes.directory { row.destinationDirectory = directory }
    // From here on the row has them. A count that stayed would give the id of a copy in hand to its original, if that
    // changes while the daemon is down.
    let hasCount = row.original != nil || row.source == nil && (row.attempts > 0 || row.starts > 0)
    delivery.commit([.put(row)] + (hasCount ? [.removeAttempts(AttemptCount(of: row))] : []), in: .claim(.committing))
  }

  private static func intentNotCommitted(_ failure: Delivery.Failure, _ delivery: inout Delivery) {
    if delivery.drop.source != nil { return delivery.end(.refused("the ledger cannot be written: \(failure.message)")) }
    delivery.end(.stay(.init(.blocked, failure.message)))
  }

  private static func claimed(_ held: FileStatus?, _ delivery: inout Delivery) {
    // What cannot be looked at now is looked at when it is judged.
    guard let held else { return JudgePhase.begin(&delivery) }
    delivery.drop.changed = held.changed
    delivery.drop.links = held.links
    delivery.isJustClaimed = delivery.drop.source == nil
    JudgePhase.begin(&delivery)
  }

  private static func snapshotIsHeld(_ delivery: inout Delivery) {
    delivery.isJustClaimed = true
    JudgePhase.begin(&delivery)
  }

  private static func forgetClaim(_ refusal: Delivery.Refusal, _ delivery: inout Delivery) {
    let drop = delivery.drop
    var changes: [LedgerChange] = [.remove(drop.id)]
    if drop.source == nil, drop.attempts > 0 || drop.starts > 0 {
      changes.append(.putAttempts(AttemptCount(of: drop), at: drop.released))
    }
    delivery.commit(changes, in: .claim(.forgetting(refusal)))
  }

  private static func refuseClaim(_ refusal: Delivery.Refusal, _ delivery: inout Delivery) {
    if delivery.drop.source != nil {
      let place = delivery.drop.source.map { "'\($0)'" } ?? ""
      return delivery.end(.refused("the reject \(place) cannot be taken: \(refusal.detail)"))
    }
    delivery.end(.stay(refusal))
  }
}

extension Delivery {
  /// A payload that staging released. Its row is not in the ledger yet.
  package init(claiming row: Drop, policy: DeliveryPolicy) {
    self.init(row, policy: policy)
    // A reject was synced before it got its name, and has not changed since.
    isSynced = row.source != nil
    if row.original == nil, row.source == nil, policy.isDurable {
      go(.sync(.origin), in: .claim(.syncing))
    } else {
      ClaimPhase.commitIntent(&self)
    }
  }

  /// What the configuration said of a payload at its release.
  package mutating func apply(_ wishes: Wishes, refusal: String?) {
    self.wishes = wishes
    if let refusal { drop.verdict = .rejected(.handler, message: refusal) }
  }
}

extension Drop {
  /// Takes over the copy that was made in the hold; the original keeps what it was.
  fileprivate mutating func becomeSnapshot(_ copy: Delivery.Copy) {
    original?.size = size
    inode = copy.status.identity.inode
    birth = copy.status.identity.birth
    modified = copy.status.modified
    changed = copy.status.changed
    links = 1
    sha256 = copy.sha256
    warn(copy.warnings)
  }
}

extension Delivery.Refusal {
  package enum Action: String, Sendable {
    case opening = "it cannot be opened"
    case taking = "it cannot be taken"
    case copying = "it cannot be copied"
  }

  /// What a failure to open, take or copy a payload in the zone means for it.
  package init(_ failure: Delivery.Failure, _ action: Action) {
    let detail = "\(action.rawValue): \(failure.message)"
    switch failure.kind {
    // Of an open it says that the directory has been moved out of the zone.
    case .otherFileSystem where action == .taking:
      self.init(.cannotTake, "it lies on another file system than the hold")
    case .missing, .exists, .changed, .otherFileSystem: self = .changed
    case .accessDenied: self.init(action == .opening ? .unreadable : .cannotTake, detail)
    case .notPermitted: self.init(.cannotTake, detail)
    case .immutable: self.init(.cannotTake, "it is immutable or append-only")
    case .noRoom, .readOnly, .holdMissing: self.init(.blocked, detail)
    case .unsupported, .nameTooLong, .nameRefused, .tooLarge, .ledgerNoRoom, .other: self.init(.retry, detail)
    }
  }
}
