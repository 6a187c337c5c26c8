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
    case (.removingHeld, .done): Self.close(.syncDirectory(.hold), .syncingHold, orElse: .afterHeld, &delivery)
    case (.syncingHold, .done): Self.closeAfterHeld(&delivery)
    case (.removingOrigin, .done):
      Self.close(.syncDirectory(.origin), .syncingOrigin, orElse: .closing, &delivery)
    case (.removingOldReason, .done), (.removingOldReason, .failed):
      Self.close(.syncDirectory(.oldReason), .syncingOldReason, orElse: .closing, &delivery)
    case (.syncingOrigin, .done), (.syncingOldReason, .done): Self.closeRow(&delivery)
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
    case (.choosingName, .returnNameChosen(let number)): Self.noteReturn(number, &delivery)
    // A stop came between the rename and the end of its row, or a sync failed.
    case (.choosingName, .failed(let failure)) where failure.kind == .missing: Self.syncReturn(&delivery)
    case (.noting(let number), .done): delivery.go(.rename(.hold, to: .origin), in: .close(.givingBack(number: number)))
    case (.givingBack(let number), .renamed(let status)): Self.originalIsBack(number, status, &delivery)
    case (.givingBack(let number), .failed(let failure)): Self.originalNotBack(number, failure, &delivery)
    case (.forgettingNote(let number), .done):
      delivery.go(.chooseReturnName(from: number + 1), in: .close(.choosingName))
    case (.notingChange, .done): Self.syncReturn(&delivery)
    case (.syncingReturnHold, .done): delivery.go(.syncDirectory(.origin), in: .close(.syncingReturn))
    case (.syncingReturn, .done): Self.closeRow(&delivery)
    case (_, .failed(let failure)):
      delivery.tryAgain(.init(.retry, "it is in its place and cannot go back to the zone: \(failure.message)"))
    default: break
    }
  }
}

extension ClosePhase {
  static func begin(_ delivery: inout Delivery) {
    delivery.drop.state = .placed
    if delivery.drop.returnsOriginal { return delivery.go(.chooseReturnName(from: 0), in: .close(.choosingName)) }
    // A rename has left nothing behind in the hold: the only name of the payload is never removed.
    if delivery.drop.source != nil, delivery.drop.copyInode == nil { return closeAfterHeld(&delivery) }
    delivery.go(.remove(.hold), in: .close(.removingHeld))
  }

  private enum Fallback { case afterHeld, closing }

  /// Syncs where durability is asked for, and otherwise goes on at once.
  private static func close(
    _ step: Delivery.Step, _ phase: ClosePhase, orElse next: Fallback, _ delivery: inout Delivery
  ) {
    if delivery.policy.isDurable { return delivery.go(step, in: .close(phase)) }
    switch next {
    case .afterHeld: closeAfterHeld(&delivery)
    case .closing: closeRow(&delivery)
    }
  }

  private static func closeAfterHeld(_ delivery: inout Delivery) {
    if delivery.drop.source != nil {
      // The reason of a reject that was tried again has been told, unless it was written once more under that name.
      if delivery.drop.source != delivery.drop.place {
        return delivery.go(.remove(.oldReason), in: .close(.removingOldReason))
      }
      return closeRow(&delivery)
    }
    if delivery.drop.original != nil { return closeRow(&delivery) }
    delivery.go(.remove(.origin), in: .close(.removingOrigin))
  }

  private static func closeRow(_ delivery: inout Delivery) {
    delivery.commit(
      [.remove(delivery.drop.id), .removeAttempts(AttemptCount(of: delivery.drop))], in: .close(.closing))
  }

  private static func note(of number: Int, changed: Int64 = 0, _ delivery: Delivery) -> CopiedOriginal {
    var note = CopiedOriginal(returning: delivery.drop)
    note.location = delivery.returnName(number)
    note.changed = changed
    return note
  }

  /// Known before the name appears: whoever sees it then must not take it.
  private static func noteReturn(_ number: Int, _ delivery: inout Delivery) {
    delivery.commit([.putOriginal(note(of: number, delivery))], in: .close(.noting(number: number)))
  }

  private static func syncReturn(_ delivery: inout Delivery) {
    close(.syncDirectory(.hold), .syncingReturnHold, orElse: .closing, &delivery)
  }

  private static func originalIsBack(_ number: Int, _ status: FileStatus?, _ delivery: inout Delivery) {
    delivery.commit(
      [.putOriginal(note(of: number, changed: status?.changed ?? 0, delivery))], in: .close(.notingChange))
  }

  private static func originalNotBack(_ number: Int, _ failure: Delivery.Failure, _ delivery: inout Delivery) {
    switch failure.kind {
    case .exists:
      let location = delivery.returnName(number)
      delivery.commit(
        [.removeOriginal(zone: delivery.drop.zone, location: location, of: delivery.drop.id)],
        in: .close(.forgettingNote(number: number)))
    default:
      delivery.tryAgain(.init(.retry, "it is in its place and cannot go back to the zone: \(failure.message)"))
    }
  }
}

extension Delivery {
  /// The name that the original gets in the zone: its own, or the next free one.
  package func returnName(_ number: Int) -> RawPath {
    drop.location.parent.appending(FreeName.candidate(drop.location.lastComponent, number: number))
  }

  /// The name in the zone that a `rename(.hold, to: .origin)` of this moment is for.
  package var returnLocation: RawPath {
    if case .close(.givingBack(let number)) = phase { return returnName(number) }
    return drop.location
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
