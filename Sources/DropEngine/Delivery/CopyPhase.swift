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
    case .copying, .syncingCopy, .syncingCopyName, .inspectingSource, .removingCopy:
      receiveCopying(event, &delivery, at: now)
    default: receiveNaming(event, &delivery, at: now)
    }
  }

  private func receiveCopying(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.copying, .copied(let copy)): delivery.copied(copy)
    case (.syncingCopy, .done): delivery.go(.syncDirectory(.destination), in: .copy(.syncingCopyName))
    case (.syncingCopyName, .done): delivery.inspectSource()
    case (.inspectingSource, .inspected(let held, _)): delivery.sourceInspected(held)
    case (.removingCopy(let why), .done), (.removingCopy(let why), .failed): delivery.abandonCopy(why, at: now)
    case (.copying, .failed(let failure)), (.syncingCopy, .failed(let failure)),
      (.syncingCopyName, .failed(let failure)),
      (.inspectingSource, .failed(let failure)):
      delivery.go(.remove(.temporary), in: .copy(.removingCopy(.failed(failure))))
    default: break
    }
  }

  private func receiveNaming(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.committing, .done):
      if delivery.drop.isAccepted {
        delivery.renameCopy()
      } else {
        delivery.go(.writeReason, in: .copy(.writingReason))
      }
    case (.writingReason, .done): delivery.renameCopy()
    case (.writingReason, .failed(let failure)), (.removingReason(let failure), _): delivery.namingFailed(failure)
    case (.renaming, .renamed): delivery.copyNamed()
    case (.renaming, .failed(let failure)):
      if delivery.drop.isAccepted {
        delivery.namingFailed(failure)
      } else {
        delivery.go(.remove(.reason), in: .copy(.removingReason(failure)))
      }
    case (.choosingNext, .chosen(let destination)):
      delivery.take(destination, at: now)
      delivery.commitCopied()
    case (.choosingNext, .failed(let failure)): delivery.withdrawCopy(.failed(failure))
    case (.withdrawing(let why), .done): delivery.go(.remove(.temporary), in: .copy(.removingCopy(why)))
    case (.syncingDestination, .done): delivery.commitCopyReceipt()
    case (.syncingDestination, .failed(let failure)): delivery.syncFailed(failure)
    case (.committingReceipt, .done): delivery.beginClosing()
    case (_, .failed(let failure)): delivery.commitFailed(failure)
    default: break
    }
  }
}

extension Delivery {
  mutating func beginCopy() { go(.copy(.hold, to: .temporary), in: .copy(.copying)) }

  fileprivate mutating func copied(_ copy: Copy) {
    drop.sha256 = copy.sha256 ?? drop.sha256
    drop.copyInode = copy.status.identity.inode
    drop.warn(copy.warnings)
    if policy.isDurable { go(.sync(.temporary), in: .copy(.syncingCopy)) } else { inspectSource() }
  }

  fileprivate mutating func inspectSource() {
    // A reject is delivered whatever has become of it.
    if drop.isAccepted { go(.inspect, in: .copy(.inspectingSource)) } else { commitCopied() }
  }

  fileprivate mutating func sourceInspected(_ held: Held) {
    switch held {
    case .same: commitCopied()
    case .changed(let status):
      // A link that comes or goes changes the time and not the bytes.
      let hasItsBytes =
        status.size == drop.size && status.modified == drop.modified && status.identity.inode == drop.inode
      if hasItsBytes { return commitCopied() }
      go(.remove(.temporary), in: .copy(.removingCopy(.sourceChanged(status))))
    case .gone, .renamed, .unusable:
      go(.remove(.temporary), in: .copy(.removingCopy(.failed(.init(.missing)))))
    }
  }

  fileprivate mutating func commitCopied() {
    drop.state = .copied
    commit([.put(drop)], in: .copy(.committing))
  }

  fileprivate mutating func renameCopy() {
    go(.rename(.temporary, to: .destination, replacing: destination?.replaces ?? false), in: .copy(.renaming))
  }

  fileprivate mutating func copyNamed() {
    if policy.isDurable {
      go(.syncDirectory(.destination), in: .copy(.syncingDestination))
    } else {
      commitCopyReceipt()
    }
  }

  fileprivate mutating func namingFailed(_ failure: Failure) {
    guard failure.kind == .exists else { return withdrawCopy(.failed(failure)) }
    // Where the zone's rule is another than the next name, it is asked again. A payload that replaces keeps its turn, or
    // an earlier one would replace a later one.
    if drop.isAccepted, policy.collision == .reject || policy.collision == .keepIdentical {
      return withdrawCopy(.nameTaken)
    }
    go(.chooseForCopy(from: destination?.number ?? 0), in: .copy(.choosingNext))
  }

  /// While the row says `copied`, a temporary that is not there says that it was named.
  fileprivate mutating func withdrawCopy(_ why: CopyPhase.Abandonment) {
    drop.state = .claiming
    drop.copyInode = nil
    commit([.put(drop)], in: .copy(.withdrawing(why)))
  }

  fileprivate mutating func abandonCopy(_ why: CopyPhase.Abandonment, at now: Int64) {
    drop.state = .claiming
    drop.copyInode = nil
    switch why {
    case .nameTaken: choose(from: 0)
    case .sourceChanged(let status): judgeAgain(as: status, "changed while it was copied")
    case .failed(let failure): copyFailed(failure, at: now)
    }
  }

  private mutating func copyFailed(_ failure: Failure, at now: Int64) {
    switch failure.kind {
    case .missing: vanished(at: now)
    case .holdMissing, .changed: chooseAgain(after: Wait(reading: drop, failure))
    case .noRoom: chooseAgain(after: .init(.blocked, failure.message))
    case .nameTooLong, .nameRefused: refuseName(failure)
    case .tooLarge where drop.isAccepted:
      place(.rejected(.size, message: "the box's file system takes no files of this size: \(failure.message)"))
    case .unsupported:
      waitForPlace("'\(Escaping.escape(rootPath))': a name cannot be given there without replacing others")
    default: waitForPlace("'\(Escaping.escape(rootPath))': \(failure.message)")
    }
  }

  /// Commits the receipt; the row stays until the source is gone.
  mutating func commitCopyReceipt() {
    drop.state = .placed
    var changes: [LedgerChange] = [.put(drop), .addReceipt(record)]
    if let original = drop.copiedOriginal { changes.append(.putCopiedOriginal(original)) }
    commit(changes, in: .copy(.committingReceipt))
  }
}
