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
  /// Putting on the disk that nothing is left of it: a power cut would bring it back into the zone after its receipt.
  case syncingEmptyHold
  case syncingEmptyOrigin
  case committingReceipt

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.choosing, _): Self.choosing(event, &delivery, at: now)
    case (.comparing, .compared(let identical, let sha256, let others)):
      Self.compareDone(identical, sha256, others, &delivery, at: now)
    case (.comparing, .failed(let failure)): Self.chooseAgain(after: .init(reading: delivery.drop, failure), &delivery)
    case (.syncingMetadata, .done):
      delivery.isSynced = true
      Self.commitPlacing(&delivery)
    case (.syncingMetadata, .failed(let failure)):
      Self.chooseAgain(
        after: .init(.retry, "its owner and permissions cannot be synced: \(failure.message)"), &delivery)
    case (.committing, .done): Self.beginRename(&delivery)
    case (.writingReason, .done): delivery.go(.rename(.hold, to: .destination), in: .place(.renaming))
    case (.writingReason, .failed(let failure)): Self.renameFailed(failure.ofPlace, &delivery, at: now)
    case (.removingReason(let failure), _): Self.renameFailed(failure, &delivery, at: now)
    case (.renaming, .renamed): Self.renamedIntoPlace(&delivery)
    case (.renaming, .failed(let failure)):
      if delivery.drop.isAccepted {
        Self.renameFailed(failure, &delivery, at: now)
      } else {
        delivery.go(.remove(.reason), in: .place(.removingReason(failure)))
      }
    case (.syncingHold, .done): delivery.go(.syncDirectory(.destination), in: .place(.syncingDestination))
    case (.syncingDestination, .done): Self.commitReceipt(&delivery)
    case (.syncingHold, .failed(let failure)), (.syncingDestination, .failed(let failure)):
      Self.syncFailed(failure, &delivery)
    case (.syncingEmptyHold, _), (.syncingEmptyOrigin, _): syncedAbsence(event, &delivery)
    case (.committingReceipt, .done): Self.afterReceipt(&delivery)
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension PlacePhase {
  static func placeAccepted(_ message: String?, _ delivery: inout Delivery) {
    delivery.drop.verdict = .accepted(message: message)
    choose(from: 0, &delivery)
  }

  static func place(_ verdict: Drop.Verdict, _ delivery: inout Delivery) {
    delivery.drop.verdict = verdict
    choose(from: 0, &delivery)
  }

  static func choose(from number: Int, _ delivery: inout Delivery) {
    // A copy that is refused later becomes a move.
    if !delivery.drop.isAccepted, delivery.drop.original == nil { delivery.drop.operation = .move }
    delivery.drop.copyInode = nil
    delivery.go(.choose(from: number), in: .place(.choosing))
  }

  static func chooseAgain(after wait: Delivery.Wait, _ delivery: inout Delivery) {
    delivery.drop.state = .claiming
    delivery.wait(wait, then: .choose(from: 0), in: .place(.choosing))
  }

  /// Lets the payload wait for its box or rejects.
  static func waitForPlace(_ message: String, _ delivery: inout Delivery) {
    chooseAgain(after: .init(.blocked, message, cause: .place(delivery.rootPath)), &delivery)
  }

  private static func choosing(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch event {
    case .chosen(let destination): chosen(destination, &delivery, at: now)
    case .changedSinceJudged(let status, let message): JudgePhase.judgeAgain(as: status, message, &delivery)
    case .hasWriter:
      // The verdict stands if nothing comes of it; otherwise the next look finds the difference.
      chooseAgain(after: .init(.writer, "it is open for writing"), &delivery)
    case .duplicate: place(.rejected(.duplicate, message: "the box has a file of this name"), &delivery)
    case .mayBeIdentical(let number): delivery.go(.compare(from: number), in: .place(.comparing))
    case .failed(let failure): chooseFailed(failure, &delivery, at: now)
    default: break
    }
  }

  private static func chooseFailed(_ failure: Delivery.Failure, _ delivery: inout Delivery, at now: Int64) {
    switch failure.kind {
    case .nameTooLong, .nameRefused: refuseName(failure, &delivery)
    case .missing: vanished(&delivery, at: now)
    case .holdMissing, .changed: chooseAgain(after: Delivery.Wait(reading: delivery.drop, failure), &delivery)
    default: waitForPlace(failure.message, &delivery)
    }
  }

  private static func chosen(_ chosen: Delivery.Destination, _ delivery: inout Delivery, at now: Int64) {
    take(chosen, &delivery, at: now)
    delivery.drop.state = .placing
    if let changed = chosen.changed { delivery.drop.changed = changed }
    // A copy to another file system is synced itself.
    if delivery.policy.isDurable, chosen.changed != nil || delivery.isNear && !delivery.isSynced {
      delivery.go(.sync(.hold), in: .place(.syncingMetadata))
    } else {
      commitPlacing(&delivery)
    }
  }

  static func take(_ chosen: Delivery.Destination, _ delivery: inout Delivery, at now: Int64) {
    delivery.destination = chosen
    delivery.decided = now
    delivery.drop.destinationRoot = chosen.root
    delivery.drop.destinationDirectory = chosen.directory
    delivery.drop.destinationName = chosen.name
    delivery.drop.warn(chosen.warnings)
  }

  private static func commitPlacing(_ delivery: inout Delivery) {
    delivery.commit([.put(delivery.drop)], in: .place(.committing))
  }

  private static func beginRename(_ delivery: inout Delivery) {
    if !delivery.isNear { return CopyPhase.begin(&delivery) }
    if !delivery.drop.isAccepted { return delivery.go(.writeReason, in: .place(.writingReason)) }
    delivery.go(
      .rename(.hold, to: .destination, replacing: delivery.destination?.replaces ?? false), in: .place(.renaming))
  }

  private static func renameFailed(_ failure: Delivery.Failure, _ delivery: inout Delivery, at now: Int64) {
    switch failure.kind {
    // The name was taken in the meantime: the zone's rule says what that means, and the next name is committed first.
    case .exists: choose(from: (delivery.destination?.number ?? 0) + (delivery.drop.isAccepted ? 0 : 1), &delivery)
    // A file of our own may be linked where a sender's may not.
    case .otherFileSystem, .unsupported: CopyPhase.begin(&delivery)
    case .missing: vanished(&delivery, at: now)
    case .holdMissing: chooseAgain(after: Delivery.Wait(reading: delivery.drop, failure), &delivery)
    case .nameTooLong, .nameRefused: refuseName(failure, &delivery)
    case .immutable:
      chooseAgain(
        after: .init(.retry, "it cannot leave the hold, since it may not be changed (chattr): \(failure.message)"),
        &delivery)
    default: waitForPlace("'\(Escaping.escape(delivery.rootPath))': \(failure.message)", &delivery)
    }
  }

  /// A name that the box's file system refuses is the payload's fault. Where the rejects refuse it too, the payload gets
  /// its id as its name, which every file system takes.
  static func refuseName(_ failure: Delivery.Failure, _ delivery: inout Delivery) {
    delivery.drop.state = .claiming
    guard delivery.drop.isAccepted else {
      if delivery.wishes.usesIDAsName {
        return waitForPlace("'\(Escaping.escape(delivery.rootPath))': \(failure.message)", &delivery)
      }
      delivery.wishes.usesIDAsName = true
      return choose(from: 0, &delivery)
    }
    place(.rejected(.boxName, message: failure.message), &delivery)
  }

  private static func renamedIntoPlace(_ delivery: inout Delivery) {
    delivery.drop.warn(delivery.destination?.ownWarnings ?? [])
    if delivery.policy.isDurable {
      delivery.go(.syncDirectory(.hold), in: .place(.syncingHold))
    } else {
      commitReceipt(&delivery)
    }
  }

  static func syncFailed(_ failure: Delivery.Failure, _ delivery: inout Delivery) {
    let root = delivery.drop.destinationRoot ?? delivery.rootPath
    delivery.tryAgain(
      .init(.blocked, "'\(Escaping.escape(root))' cannot be synced: \(failure.message)", cause: .sync(root)))
  }

  /// Commits the receipt, and ends the row unless something of the payload is left to remove.
  static func commitReceipt(_ delivery: inout Delivery) {
    var changes: [LedgerChange] = [.addReceipt(delivery.record)]
    if delivery.drop.source != nil {
      changes.append(.put(delivery.drop.placed))
    } else {
      changes.append(.remove(delivery.drop.id))
      if delivery.drop.attempts > 0 || delivery.drop.starts > 0 {
        changes.append(.removeAttempts(AttemptCount(of: delivery.drop)))
      }
    }
    if let original = delivery.drop.copiedOriginal { changes.append(.putCopiedOriginal(original)) }
    delivery.commit(changes, in: .place(.committingReceipt))
  }

  static func afterReceipt(_ delivery: inout Delivery) {
    guard delivery.drop.source != nil else { return delivery.end(.finished) }
    delivery.drop.state = .placed
    ClosePhase.begin(&delivery)
  }

  /// Ends a payload that has no place: its outcome is all that is left.
  static func finish(
    outcome: Receipt.Outcome, code: ReasonCode? = nil, message: String? = nil, _ delivery: inout Delivery, at now: Int64
  ) {
    delivery.decided = now
    delivery.ending = .other(Delivery.Ending(outcome: outcome, code: code, message: message))
    if delivery.policy.isDurable {
      delivery.go(.syncDirectory(.hold), in: .place(.syncingEmptyHold))
    } else {
      commitReceipt(&delivery)
    }
  }

  private func syncedAbsence(_ event: Delivery.Event, _ delivery: inout Delivery) {
    if case .failed(let failure) = event, failure.kind != .missing, failure.kind != .holdMissing {
      return Self.syncFailed(failure, &delivery)
    }
    // The original of a copy stays where it is.
    if self == .syncingEmptyHold, delivery.drop.original == nil {
      delivery.go(.syncDirectory(.origin), in: .place(.syncingEmptyOrigin))
    } else {
      Self.commitReceipt(&delivery)
    }
  }

  /// It was removed from the hold by someone: nothing is left to deliver.
  static func vanished(_ delivery: inout Delivery, at now: Int64) {
    finish(outcome: .withdrawn, &delivery, at: now)
  }

  /// Nothing is left of it but what its handler said.
  static func lost(_ message: String, _ delivery: inout Delivery, at now: Int64) {
    finish(outcome: .failed, code: .handlerFailed, message: message, &delivery, at: now)
  }

  private static func compareDone(
    _ identical: RawPath?, _ sha256: String, _ others: Set<FileStatus>, _ delivery: inout Delivery, at now: Int64
  ) {
    delivery.drop.sha256 = sha256
    delivery.compared = others
    guard let identical else { return choose(from: 0, &delivery) }
    // The box has these very bytes already: that is where the payload is, and the one in the hold goes.
    delivery.decided = now
    delivery.ending = .other(
      Delivery.Ending(
        outcome: .delivered, message: "the box had an identical file",
        place: RawPath(delivery.drop.boxPath).appending(identical)))
    CopyPhase.commitReceipt(&delivery)
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
}
