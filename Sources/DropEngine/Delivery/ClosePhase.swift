/// After the receipt of a copy, or of a reject that was tried again: what it came from goes, then its row. Steps 10, 11.
///
/// The row is closed only when the source's absence is on the disk: a power cut would bring it back with nobody left who
/// knows it. What cannot be removed keeps its row and is tried again.
enum ClosePhase: Hashable, Sendable {
  case removingHeld
  case syncingHold
  /// A power cut may have taken the hold's name away and left the payload in the zone.
  case removingOrigin
  case syncingOrigin
  case removingOldReason
  case syncingOldReason
  case closing
  /// The original of a copy that a handler asked for goes back to the zone, as a file that is not taken again.
  case choosingName
  case noting(number: Int)
  case givingBack(number: Int)
  case forgettingNote(number: Int)
  case notingChange
  case syncingReturnHold
  case syncingReturn

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery) {
    switch (self, event) {
    case (.removingHeld, .done): delivery.close(.syncDirectory(.hold), .syncingHold, orElse: .afterHeld)
    case (.syncingHold, .done): delivery.closeAfterHeld()
    case (.removingOrigin, .done):
      delivery.close(.syncDirectory(.origin), .syncingOrigin, orElse: .closing)
    case (.removingOldReason, .done), (.removingOldReason, .failed):
      delivery.close(.syncDirectory(.oldReason), .syncingOldReason, orElse: .closing)
    case (.syncingOrigin, .done), (.syncingOldReason, .done): delivery.closeRow()
    case (.closing, .done): delivery.end(.finished)
    case (.closing, .failed(let failure)), (.noting, .failed(let failure)), (.notingChange, .failed(let failure)),
      (.forgettingNote, .failed(let failure)):
      delivery.commitFailed(failure)
    case (.choosingName, _), (.noting, _), (.givingBack, _), (.forgettingNote, _), (.notingChange, _),
      (.syncingReturn, _), (.syncingReturnHold, _):
      receiveGivingBack(event, &delivery)
    case (_, .failed(let failure)):
      delivery.tryAgain(.init(.retry, "it is in its place and cannot leave the hold: \(failure.message)"))
    default: break
    }
  }

  private func receiveGivingBack(_ event: Delivery.Event, _ delivery: inout Delivery) {
    switch (self, event) {
    case (.choosingName, .returnNameChosen(let number)): delivery.noteReturn(number)
    // A stop came between the rename and the end of its row, or a sync failed.
    case (.choosingName, .failed(let failure)) where failure.kind == .missing: delivery.syncReturn()
    case (.noting(let number), .done): delivery.go(.rename(.hold, to: .origin), in: .close(.givingBack(number: number)))
    case (.givingBack(let number), .renamed(let status)): delivery.originalIsBack(number, status)
    case (.givingBack(let number), .failed(let failure)): delivery.originalNotBack(number, failure)
    case (.forgettingNote(let number), .done):
      delivery.go(.chooseReturnName(from: number + 1), in: .close(.choosingName))
    case (.notingChange, .done): delivery.syncReturn()
    case (.syncingReturnHold, .done): delivery.go(.syncDirectory(.origin), in: .close(.syncingReturn))
    case (.syncingReturn, .done): delivery.closeRow()
    case (_, .failed(let failure)):
      delivery.tryAgain(.init(.retry, "it is in its place and cannot go back to the zone: \(failure.message)"))
    default: break
    }
  }
}

extension Delivery {
  mutating func beginClosing() {
    drop.state = .placed
    if drop.returnsOriginal { return go(.chooseReturnName(from: 0), in: .close(.choosingName)) }
    // A rename has left nothing behind in the hold: the only name of the payload is never removed.
    if drop.source != nil, drop.copyInode == nil { return closeAfterHeld() }
    go(.remove(.hold), in: .close(.removingHeld))
  }

  enum CloseFallback { case afterHeld, closing }

  /// Syncs where durability is asked for, and otherwise goes on at once.
  fileprivate mutating func close(_ step: Step, _ phase: ClosePhase, orElse next: CloseFallback) {
    if policy.isDurable { return go(step, in: .close(phase)) }
    switch next {
    case .afterHeld: closeAfterHeld()
    case .closing: closeRow()
    }
  }

  fileprivate mutating func closeAfterHeld() {
    if drop.source != nil {
      // The reason of a reject that was tried again has been told, unless it was written once more under that name.
      if drop.source != drop.place { return go(.remove(.oldReason), in: .close(.removingOldReason)) }
      return closeRow()
    }
    if drop.original != nil { return closeRow() }
    go(.remove(.origin), in: .close(.removingOrigin))
  }

  fileprivate mutating func closeRow() {
    commit([.remove(drop.id), .removeAttempts(AttemptCount(of: drop))], in: .close(.closing))
  }

  /// The name that the original gets in the zone: its own, or the next free one.
  package func returnName(_ number: Int) -> RawPath {
    drop.location.parent.appending(FreeName.candidate(drop.location.lastComponent, number: number))
  }

  /// The name in the zone that a `rename(.hold, to: .origin)` of this moment is for.
  package var returnLocation: RawPath {
    if case .close(.givingBack(let number)) = phase { return returnName(number) }
    return drop.location
  }

  private func note(of number: Int, changed: Int64 = 0) -> CopiedOriginal {
    var note = CopiedOriginal(returning: drop)
    note.location = returnName(number)
    note.changed = changed
    return note
  }

  /// Known before the name appears: whoever sees it then must not take it.
  fileprivate mutating func noteReturn(_ number: Int) {
    commit([.putOriginal(note(of: number))], in: .close(.noting(number: number)))
  }

  fileprivate mutating func syncReturn() { close(.syncDirectory(.hold), .syncingReturnHold, orElse: .closing) }

  fileprivate mutating func originalIsBack(_ number: Int, _ status: FileStatus?) {
    commit([.putOriginal(note(of: number, changed: status?.changed ?? 0))], in: .close(.notingChange))
  }

  fileprivate mutating func originalNotBack(_ number: Int, _ failure: Failure) {
    switch failure.kind {
    case .exists:
      let location = returnName(number)
      commit(
        [.removeOriginal(zone: drop.zone, location: location, of: drop.id)],
        in: .close(.forgettingNote(number: number)))
    default:
      tryAgain(.init(.retry, "it is in its place and cannot go back to the zone: \(failure.message)"))
    }
  }
}

extension CopiedOriginal {
  /// The note of an original that is about to reappear in its zone.
  init(returning drop: Drop) {
    self.init(
      zone: drop.zone, location: drop.location, inode: drop.inode, birth: drop.birth, size: drop.size,
      modified: drop.modified, changed: 0, sha256: drop.sha256, id: drop.id)
  }
}

extension Drop {
  /// What keeps the original of a copy from being taken again.
  package var copiedOriginal: CopiedOriginal? {
    guard operation == .copy, source == nil, let original else { return nil }
    // The digest is the original's only as long as nothing has changed the copy.
    let isAsCopied =
      original.sha256 == nil && modified == original.modified && (original.size ?? size) == size
    return CopiedOriginal(
      zone: zone, location: location, inode: original.inode, birth: original.birth, size: original.size ?? size,
      modified: original.modified, changed: original.changed, sha256: isAsCopied ? sha256 : original.sha256, id: id)
  }
}
