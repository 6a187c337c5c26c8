/// Decided: the name is chosen and committed, the payload renamed, both directories synced, the receipt committed.
/// Steps 4 to 7.
enum PlacePhase: Hashable, Sendable {
  case choosing
  case comparing
  case syncingMetadata
  case committing
  case writingReason
  case renaming
  /// A reason whose reject did not get its name goes, or it would keep that name from it.
  indirect case removingReason(Delivery.Failure)
  case syncingHold
  case syncingDestination
  case committingReceipt

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.choosing, _): delivery.choosing(event, at: now)
    case (.comparing, .compared(let identical, let sha256, let others)):
      delivery.compareDone(identical, sha256, others, at: now)
    case (.comparing, .failed(let failure)): delivery.chooseAgain(after: .init(reading: delivery.drop, failure))
    case (.syncingMetadata, .done): delivery.commitPlacing()
    case (.syncingMetadata, .failed(let failure)):
      delivery.chooseAgain(after: .init(.retry, "its owner and permissions cannot be synced: \(failure.message)"))
    case (.committing, .done): delivery.beginRename()
    case (.writingReason, .done): delivery.go(.rename(.hold, to: .destination), in: .place(.renaming))
    case (.writingReason, .failed(let failure)), (.removingReason(let failure), _):
      delivery.renameFailed(failure, at: now)
    case (.renaming, .renamed): delivery.renamedIntoPlace()
    case (.renaming, .failed(let failure)):
      if delivery.drop.isAccepted {
        delivery.renameFailed(failure, at: now)
      } else {
        delivery.go(.remove(.reason), in: .place(.removingReason(failure)))
      }
    case (.syncingHold, .done): delivery.go(.syncDirectory(.destination), in: .place(.syncingDestination))
    case (.syncingDestination, .done): delivery.commitReceipt()
    case (.syncingHold, .failed(let failure)), (.syncingDestination, .failed(let failure)):
      delivery.syncFailed(failure)
    case (.committingReceipt, .done): delivery.afterReceipt()
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension Delivery {
  /// The box or the rejects, as the verdict has it.
  package var rootPath: String { drop.isAccepted ? drop.boxPath : drop.rejectsPath }

  /// Whether a rename can bring the payload into its place: the bytes of a file with other names must stay its own, and
  /// so must an original that goes back to the zone.
  package var isNear: Bool { !drop.isAccepted || drop.links == 1 && !drop.returnsOriginal }

  /// The receipt, as it is shown beside a reject and kept in the ledger.
  package var record: ReceiptRecord {
    guard case .other(let ending) = ending else {
      return ReceiptRecord(
        verdictOf: drop, place: drop.place, finished: decided, replaced: destination?.replaces ?? false)
    }
    guard let outcome = ending.outcome else {
      return ReceiptRecord(verdictOf: drop, place: ending.place, finished: decided)
    }
    return ReceiptRecord(
      drop, outcome: outcome, code: ending.code, message: ending.message, place: ending.place, finished: decided)
  }

  mutating func placeAccepted(_ message: String?) {
    drop.verdict = .accepted(message: message)
    choose(from: 0)
  }

  mutating func place(_ verdict: Drop.Verdict) {
    drop.verdict = verdict
    choose(from: 0)
  }

  mutating func choose(from number: Int) {
    // A copy that is refused later becomes a move.
    if !drop.isAccepted, drop.original == nil { drop.operation = .move }
    drop.copyInode = nil
    go(.choose(from: number), in: .place(.choosing))
  }

  mutating func chooseAgain(after wait: Wait) {
    drop.state = .claiming
    self.wait(wait, then: .choose(from: 0), in: .place(.choosing))
  }

  /// Lets the payload wait for its box or rejects.
  mutating func waitForPlace(_ message: String) {
    chooseAgain(after: .init(.blocked, message, cause: .place(rootPath)))
  }

  fileprivate mutating func choosing(_ event: Event, at now: Int64) {
    switch event {
    case .chosen(let destination): chosen(destination, at: now)
    case .changedSinceJudged(let status, let message): judgeAgain(as: status, message)
    case .hasWriter:
      // The verdict stands if nothing comes of it; otherwise the next look finds the difference.
      chooseAgain(after: .init(.writer, "it is open for writing"))
    case .duplicate: place(.rejected(.duplicate, message: "the box has a file of this name"))
    case .mayBeIdentical(let number): go(.compare(from: number), in: .place(.comparing))
    case .failed(let failure): chooseFailed(failure, at: now)
    default: break
    }
  }

  private mutating func chooseFailed(_ failure: Failure, at now: Int64) {
    switch failure.kind {
    case .nameTooLong, .nameRefused: refuseName(failure)
    case .missing: vanished(at: now)
    case .holdMissing, .changed: chooseAgain(after: Wait(reading: drop, failure))
    default: waitForPlace(failure.message)
    }
  }

  private mutating func chosen(_ chosen: Destination, at now: Int64) {
    take(chosen, at: now)
    drop.state = .placing
    if let changed = chosen.changed { drop.changed = changed }
    if chosen.changed != nil, policy.isDurable {
      go(.sync(.hold), in: .place(.syncingMetadata))
    } else {
      commitPlacing()
    }
  }

  mutating func take(_ chosen: Destination, at now: Int64) {
    destination = chosen
    decided = now
    drop.destinationRoot = chosen.root
    drop.destinationDirectory = chosen.directory
    drop.destinationName = chosen.name
    drop.warn(chosen.warnings)
  }

  fileprivate mutating func commitPlacing() { commit([.put(drop)], in: .place(.committing)) }

  fileprivate mutating func beginRename() {
    if !isNear { return beginCopy() }
    if !drop.isAccepted { return go(.writeReason, in: .place(.writingReason)) }
    go(.rename(.hold, to: .destination, replacing: destination?.replaces ?? false), in: .place(.renaming))
  }

  fileprivate mutating func renameFailed(_ failure: Failure, at now: Int64) {
    switch failure.kind {
    // The name was taken in the meantime: the zone's rule says what that means, and the next name is committed first.
    case .exists: choose(from: (destination?.number ?? 0) + (drop.isAccepted ? 0 : 1))
    // A file of our own may be linked where a sender's may not.
    case .otherFileSystem, .unsupported: beginCopy()
    case .missing: vanished(at: now)
    case .holdMissing: chooseAgain(after: Wait(reading: drop, failure))
    case .nameTooLong, .nameRefused: refuseName(failure)
    case .immutable:
      chooseAgain(
        after: .init(.retry, "it cannot leave the hold, since it may not be changed (chattr): \(failure.message)"))
    default: waitForPlace("'\(Escaping.escape(rootPath))': \(failure.message)")
    }
  }

  /// A name that the box's file system refuses is the payload's fault. Where the rejects refuse it too, the payload gets
  /// its id as its name, which every file system takes.
  mutating func refuseName(_ failure: Failure) {
    drop.state = .claiming
    guard drop.isAccepted else {
      if wishes.usesIDAsName { return waitForPlace("'\(Escaping.escape(rootPath))': \(failure.message)") }
      wishes.usesIDAsName = true
      return choose(from: 0)
    }
    place(.rejected(.boxName, message: failure.message))
  }

  fileprivate mutating func renamedIntoPlace() {
    drop.warn(destination?.ownWarnings ?? [])
    if policy.isDurable {
      go(.syncDirectory(.hold), in: .place(.syncingHold))
    } else {
      commitReceipt()
    }
  }

  mutating func syncFailed(_ failure: Failure) {
    let root = drop.destinationRoot ?? rootPath
    tryAgain(
      .init(.blocked, "'\(Escaping.escape(root))' cannot be synced: \(failure.message)", cause: .sync(root)))
  }

  /// Commits the receipt, and ends the row unless something of the payload is left to remove.
  mutating func commitReceipt() {
    var changes: [LedgerChange] = [.addReceipt(record)]
    if drop.source != nil {
      changes.append(.put(drop.placed))
    } else {
      changes.append(.remove(drop.id))
      if drop.attempts > 0 || drop.starts > 0 { changes.append(.removeAttempts(AttemptCount(of: drop))) }
    }
    if let original = drop.copiedOriginal { changes.append(.putCopiedOriginal(original)) }
    commit(changes, in: .place(.committingReceipt))
  }

  mutating func afterReceipt() {
    guard drop.source != nil else { return end(.finished) }
    drop.state = .placed
    beginClosing()
  }

  /// Ends a payload that has no place: its outcome is all that is left.
  mutating func finish(outcome: Receipt.Outcome, code: ReasonCode? = nil, message: String? = nil, at now: Int64) {
    decided = now
    ending = .other(Ending(outcome: outcome, code: code, message: message))
    commitReceipt()
  }

  /// It was removed from the hold by someone: nothing is left to deliver.
  mutating func vanished(at now: Int64) { finish(outcome: .withdrawn, at: now) }

  /// Nothing is left of it but what its handler said.
  mutating func lost(_ message: String, at now: Int64) {
    finish(outcome: .failed, code: .handlerFailed, message: message, at: now)
  }

  fileprivate mutating func compareDone(
    _ identical: RawPath?, _ sha256: String, _ others: Set<FileStatus>, at now: Int64
  ) {
    drop.sha256 = sha256
    compared = others
    guard let identical else { return choose(from: 0) }
    // The box has these very bytes already: that is where the payload is, and the one in the hold goes.
    decided = now
    ending = .other(
      Ending(
        outcome: .delivered, message: "the box had an identical file",
        place: RawPath(drop.boxPath).appending(identical)))
    commitCopyReceipt()
  }
}
