/// To another file system: copied under a hidden name, synced, committed as `copied`, named, synced, and only after the
/// receipt the source removed. Steps 5 to 11 of the second table in `RecoverPhase`.
enum CopyPhase: Hashable, Sendable {
  case copying
  case syncingCopy
  case syncingCopyName
  /// Looking whether the source is still what was judged.
  case inspectingSource
  /// Removing a copy whose row does not say `copied` yet, for the reason given.
  case removingCopy(Abandonment)
  /// Its row may soon name another directory: a power cut must not bring it back.
  case syncingRemoval(Abandonment)
  case committing
  case writingReason
  case renaming
  case removingReason(Delivery.Failure)
  case choosingNext
  /// Giving up a copy whose row says `copied`: the row says otherwise before the copy goes.
  case withdrawing(Abandonment)
  case syncingDestination
  case committingReceipt

  /// Why a copy is given up.
  enum Abandonment: Hashable, Sendable {
    case failed(Delivery.Failure)
    case sourceChanged(FileStatus)
    /// The zone's rule decides about a name that was taken in the meantime.
    case nameTaken
  }

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch self {
    case .copying, .syncingCopy, .syncingCopyName, .inspectingSource, .removingCopy, .syncingRemoval:
      receiveCopying(event, &delivery, at: now)
    default: receiveNaming(event, &delivery, at: now)
    }
  }

  private func receiveCopying(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.copying, .copied(let copy)): Self.copied(copy, &delivery)
    case (.syncingCopy, .done): delivery.go(.syncDirectory(.destination), in: .copy(.syncingCopyName))
    case (.syncingCopyName, .done): Self.inspectSource(&delivery)
    case (.inspectingSource, .inspected(let held, _)): Self.sourceInspected(held, &delivery)
    case (.removingCopy(let why), .done) where delivery.policy.isDurable:
      delivery.go(.syncDirectory(.destination), in: .copy(.syncingRemoval(why)))
    case (.removingCopy(let why), .done), (.removingCopy(let why), .failed), (.syncingRemoval(let why), .done),
      (.syncingRemoval(let why), .failed):
      Self.abandonCopy(why, &delivery, at: now)
    case (.syncingCopy, .failed(let failure)), (.syncingCopyName, .failed(let failure)):
      delivery.go(.remove(.temporary), in: .copy(.removingCopy(.failed(failure.ofPlace))))
    case (.copying, .failed(let failure)), (.inspectingSource, .failed(let failure)):
      delivery.go(.remove(.temporary), in: .copy(.removingCopy(.failed(failure))))
    default: break
    }
  }

  private func receiveNaming(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.committing, .done):
      if delivery.drop.isAccepted {
        Self.renameCopy(&delivery)
      } else {
        delivery.go(.writeReason, in: .copy(.writingReason))
      }
    case (.writingReason, .done): Self.renameCopy(&delivery)
    case (.writingReason, .failed(let failure)): Self.namingFailed(failure.ofPlace, &delivery)
    case (.removingReason(let failure), _): Self.namingFailed(failure, &delivery)
    case (.renaming, .renamed): Self.copyNamed(&delivery)
    case (.renaming, .failed(let failure)):
      if delivery.drop.isAccepted {
        Self.namingFailed(failure, &delivery)
      } else {
        delivery.go(.remove(.reason), in: .copy(.removingReason(failure)))
      }
    case (.choosingNext, .chosen(let destination)):
      PlacePhase.take(destination, &delivery, at: now)
      Self.commitCopied(&delivery)
    case (.choosingNext, .failed(let failure)): Self.withdrawCopy(.failed(failure), &delivery)
    case (.withdrawing(let why), .done): delivery.go(.remove(.temporary), in: .copy(.removingCopy(why)))
    case (.syncingDestination, .done): Self.commitReceipt(&delivery)
    case (.syncingDestination, .failed(let failure)): PlacePhase.syncFailed(failure, &delivery)
    case (.committingReceipt, .done): ClosePhase.begin(&delivery)
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension CopyPhase {
  static func begin(_ delivery: inout Delivery) { delivery.go(.copy(.hold, to: .temporary), in: .copy(.copying)) }

  private static func copied(_ copy: Delivery.Copy, _ delivery: inout Delivery) {
    delivery.drop.sha256 = copy.sha256 ?? delivery.drop.sha256
    delivery.drop.copyInode = copy.status.identity.inode
    delivery.drop.warn(copy.warnings)
    if delivery.policy.isDurable {
      delivery.go(.sync(.temporary), in: .copy(.syncingCopy))
    } else {
      inspectSource(&delivery)
    }
  }

  private static func inspectSource(_ delivery: inout Delivery) {
    // A reject is delivered whatever has become of it.
    if delivery.drop.isAccepted {
      delivery.go(.inspect, in: .copy(.inspectingSource))
    } else {
      commitCopied(&delivery)
    }
  }

  private static func sourceInspected(_ held: Delivery.Held, _ delivery: inout Delivery) {
    switch held {
    case .same: commitCopied(&delivery)
    case .changed(let status):
      // A link that comes or goes changes the time and not the bytes.
      let hasItsBytes =
        status.size == delivery.drop.size && status.modified == delivery.drop.modified
        && status.identity.inode == delivery.drop.inode
      if hasItsBytes { return commitCopied(&delivery) }
      delivery.go(.remove(.temporary), in: .copy(.removingCopy(.sourceChanged(status))))
    case .gone, .renamed, .unusable:
      delivery.go(.remove(.temporary), in: .copy(.removingCopy(.failed(.init(.missing)))))
    }
  }

  private static func commitCopied(_ delivery: inout Delivery) {
    delivery.drop.state = .copied
    delivery.commit([.put(delivery.drop)], in: .copy(.committing))
  }

  private static func renameCopy(_ delivery: inout Delivery) {
    delivery.go(
      .rename(.temporary, to: .destination, replacing: delivery.destination?.replaces ?? false), in: .copy(.renaming))
  }

  private static func copyNamed(_ delivery: inout Delivery) {
    if delivery.policy.isDurable {
      delivery.go(.syncDirectory(.destination), in: .copy(.syncingDestination))
    } else {
      commitReceipt(&delivery)
    }
  }

  private static func namingFailed(_ failure: Delivery.Failure, _ delivery: inout Delivery) {
    guard failure.kind == .exists else { return withdrawCopy(.failed(failure), &delivery) }
    // Where the zone's rule is another than the next name, it is asked again. A payload that replaces keeps its turn, or
    // an earlier one would replace a later one.
    if delivery.drop.isAccepted, delivery.policy.collision == .reject || delivery.policy.collision == .keepIdentical {
      return withdrawCopy(.nameTaken, &delivery)
    }
    delivery.go(.chooseForCopy(from: delivery.destination?.number ?? 0), in: .copy(.choosingNext))
  }

  /// While the row says `copied`, a temporary that is not there says that it was named.
  private static func withdrawCopy(_ why: Abandonment, _ delivery: inout Delivery) {
    delivery.drop.state = .claiming
    delivery.drop.copyInode = nil
    delivery.commit([.put(delivery.drop)], in: .copy(.withdrawing(why)))
  }

  private static func abandonCopy(_ why: Abandonment, _ delivery: inout Delivery, at now: Int64) {
    delivery.drop.state = .claiming
    delivery.drop.copyInode = nil
    switch why {
    case .nameTaken: PlacePhase.choose(from: 0, &delivery)
    case .sourceChanged(let status): JudgePhase.judgeAgain(as: status, "changed while it was copied", &delivery)
    case .failed(let failure): copyFailed(failure, &delivery, at: now)
    }
  }

  private static func copyFailed(_ failure: Delivery.Failure, _ delivery: inout Delivery, at now: Int64) {
    switch failure.kind {
    case .missing: PlacePhase.vanished(&delivery, at: now)
    case .holdMissing, .changed:
      PlacePhase.chooseAgain(after: Delivery.Wait(reading: delivery.drop, failure), &delivery)
    case .noRoom: PlacePhase.chooseAgain(after: .init(.blocked, failure.message), &delivery)
    case .nameTooLong, .nameRefused: PlacePhase.refuseName(failure, &delivery)
    case .tooLarge where delivery.drop.isAccepted:
      PlacePhase.place(
        .rejected(.size, message: "the box's file system takes no files of this size: \(failure.message)"), &delivery)
    case .unsupported:
      PlacePhase.waitForPlace(
        "'\(Escaping.escape(delivery.rootPath))': a name cannot be given there without replacing others", &delivery)
    default: PlacePhase.waitForPlace("'\(Escaping.escape(delivery.rootPath))': \(failure.message)", &delivery)
    }
  }

  /// Commits the receipt; the row stays until the source is gone.
  static func commitReceipt(_ delivery: inout Delivery) {
    delivery.drop.state = .placed
    var changes: [LedgerChange] = [.put(delivery.drop), .addReceipt(delivery.record)]
    if let original = delivery.drop.copiedOriginal { changes.append(.putCopiedOriginal(original)) }
    delivery.commit(changes, in: .copy(.committingReceipt))
  }
}
