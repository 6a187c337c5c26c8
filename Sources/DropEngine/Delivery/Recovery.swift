/// What the names that exist say about one row: the tables of `RecoverPhase`, as decisions.
///
/// The later place wins: the box before the hold, the hold before the zone. A name is removed only if it leads to the
/// file of the row, and while the row can still tell what the name was.
struct Recovery {
  var drop: Drop
  let found: Delivery.Found

  enum Decision {
    /// A place that should tell is not there: nothing is known, and nothing is done.
    case wait(String)
    case goOn(Drop, [Delivery.Step], RecoverPhase.Next)
  }

  func decide() -> Decision {
    switch drop.state {
    case .claiming: claiming()
    case .placing: placing()
    case .copied: copied()
    case .placed: found.isHoldAway ? wait(drop.holdPath) : .goOn(drop, noteOfOrigin, .close)
    case .returning where drop.original != nil: snapshot()
    case .returning: drop.source == nil ? returning() : undoing()
    case .removing: removing()
    }
  }

  private func wait(_ path: String) -> Decision { .wait("'\(Escaping.escape(path))' is not there") }

  // MARK: - Not decided yet

  private func claiming() -> Decision {
    if drop.original != nil { return snapshot() }
    if found.isHeld(drop) {
      var row = drop
      row.changed = found.held?.changed ?? drop.changed
      return goOn(row, removalOfTemporary + (found.isInOrigin(drop) ? [.remove(.origin)] : []), .judge)
    }
    // Another file came along with the rename: it goes back to the name it had.
    if found.held != nil, drop.source == nil { return .goOn(drop, [], .putBack) }
    if found.isInOrigin(drop) { return leaveInZone(after: removalOfTemporary + syncOfDestination + syncOfHold) }
    // A directory of the zone that is gone was moved or removed by its sender, as a name would be.
    guard found.isOriginThere, found.isHoldThere else { return .wait("its zone or hold is not there") }
    return .goOn(drop, removalOfTemporary + syncOfDestination, .withdrawn)
  }

  /// A copy that is not placed yet. Without a verdict it is nothing: it goes, and the original is staged again.
  private func snapshot() -> Decision {
    if found.isHoldAway { return wait(drop.holdPath) }
    // The row has the snapshot's own inode once that is whole; without its original it is all there is.
    if found.isHeld(drop), drop.verdict != nil || !found.hasOriginal(of: drop) {
      var row = drop
      row.state = .claiming
      return goOn(row, removalOfTemporary, .judge)
    }
    // A row is about to be forgotten: a power cut that brought its snapshot back would make a payload of it.
    let steps: [Delivery.Step] = found.held == nil ? [] : [.remove(.hold)]
    return leaveInZone(after: steps + (found.isHoldThere ? [.syncDirectory(.hold)] : []))
  }

  private func leaveInZone(after steps: [Delivery.Step] = []) -> Decision {
    let count = AttemptCount(of: drop)
    var changes: [LedgerChange] = [.removeIfState(drop.id, drop.state), .putAttempts(count, at: drop.released)]
    changes += removalOfNote
    return .goOn(drop, steps + [.commit(changes)], .leaveInZone(count))
  }

  /// Goes on with a row that is written down first: the original of a copy is in the zone, and is not to be taken again.
  private func goOn(_ row: Drop, _ steps: [Delivery.Step], _ next: RecoverPhase.Next) -> Decision {
    var changes: [LedgerChange] = [.put(row)]
    if row.original != nil, let original = row.copiedOriginal { changes.append(.putCopiedOriginal(original)) }
    return .goOn(row, [.commit(changes)] + steps, next)
  }

  // MARK: - Decided

  private func placing() -> Decision {
    guard drop.destinationRoot != nil, drop.destinationName != nil else { return claiming() }
    let isPlaced = found.isPlaced(drop)
    let tidying = removalOfTemporary + removalOfSecondOrigin(isPlaced)
    let reason: [Delivery.Step] = drop.isAccepted ? [] : [.remove(.reason)]
    if found.isHeld(drop), !isPlaced {
      guard let held = found.held, held.size != drop.size else { return goOn(drop, tidying + reason, .place) }
      var row = drop
      row.state = .claiming
      row.verdict = .rejected(
        .damagedByPowerCut, message: "it had \(drop.size) bytes when it was taken and has \(held.size) now")
      return goOn(row, tidying + reason, .judge)
    }
    if isPlaced {
      let second: [Delivery.Step] = found.isHeld(drop) ? [.remove(.hold)] : []
      let told: [Delivery.Step] = drop.isAccepted ? [] : [.writeReason]
      return .goOn(drop, tidying + second + told, .finish(place: drop.place, syncsHold: found.isHoldThere))
    }
    if found.isInOrigin(drop) {
      // A drop of its own from here on: what was written for the old id must not keep the name from it.
      return .goOn(
        drop, tidying + reason + syncOfDestination + [.commit([.removeIfState(drop.id, drop.state)] + removalOfNote)],
        .leaveInZone(nil))
    }
    guard found.isDestinationThere, found.isHoldThere, found.isOriginThere else {
      return .wait("its zone, box or hold is not there")
    }
    // Its reader took it. A power cut that brought it back into the hold would find no row.
    return .goOn(
      drop, tidying + syncOfDestination + [.syncDirectory(.hold)], .finish(place: nil, syncsHold: false))
  }

  /// Once the row is gone, nobody knows what another power cut brings back of what was removed.
  private var syncOfDestination: [Delivery.Step] {
    drop.destinationRoot != nil && found.isDestinationThere ? [.syncDirectory(.destination)] : []
  }
  /// It may have been in the hold until it was given back.
  private var syncOfHold: [Delivery.Step] { found.isHoldThere ? [.syncDirectory(.hold)] : [] }
  /// A reject that is tried again may have a note of the original that is in its zone.
  private var removalOfNote: [LedgerChange] {
    drop.source == nil ? [.removeOriginal(zone: drop.zone, location: drop.location, of: drop.id)] : []
  }
  private var removalOfTemporary: [Delivery.Step] { found.temporary == nil ? [] : [.remove(.temporary)] }

  /// A power cut may have kept the payload's first name beside its later one (btrfs, where another payload's sync put the
  /// hold's name on the disk): with its receipt, it would be taken as another payload.
  private func removalOfSecondOrigin(_ isPlaced: Bool) -> [Delivery.Step] {
    guard drop.original == nil, found.isInOrigin(drop), found.isHeld(drop) || isPlaced else { return [] }
    // A reject that was refused again has the name that it had before.
    if isPlaced, drop.source == drop.place { return [] }
    return [.remove(.origin), .syncDirectory(.origin)]
  }

  private func copied() -> Decision {
    guard drop.destinationRoot != nil, drop.destinationName != nil, let inode = drop.copyInode else {
      return goOn(drop, [], .judge)
    }
    guard found.isDestinationThere else { return wait(drop.destinationRoot ?? drop.boxPath) }
    if found.isHoldAway { return wait(drop.holdPath) }
    let isNamed = found.destination?.identity.inode == inode
    guard found.temporary?.identity.inode == inode else {
      return .goOn(
        drop, noteOfOrigin + (isNamed ? [] : [.syncDirectory(.destination)]),
        .finishCopy(place: isNamed ? drop.place : nil))
    }
    if isNamed { return .goOn(drop, noteOfOrigin + [.remove(.temporary)], .finishCopy(place: drop.place)) }
    // The source is gone and the copy is whole and synced: naming it is all that is left.
    guard found.isHeld(drop) else { return .goOn(drop, noteOfOrigin, .nameCopy) }
    // Copied again: as good, and the same way as any other delivery.
    var row = drop
    row.state = .placing
    row.copyInode = nil
    return goOn(row, [.remove(.temporary)] + (drop.isAccepted ? [] : [.remove(.reason)]), .place)
  }

  /// A power cut may have put a payload that is in its place, or is about to be, back into the zone: the scan that
  /// follows must not take it again before it is removed. The original of a copy that a handler asked for stays there.
  private var noteOfOrigin: [Delivery.Step] {
    guard drop.source == nil, drop.original == nil, let origin = found.origin, found.isInOrigin(drop) else { return [] }
    var note = CopiedOriginal(waiting: drop)
    note.changed = origin.changed
    return [.commit([.putOriginal(note)])]
  }

  // MARK: - On the way back

  private func returning() -> Decision {
    guard found.isOriginThere else { return wait(drop.zonePath) }
    if found.isInOrigin(drop) {
      return .goOn(drop, found.isHeld(drop) ? [.remove(.hold)] : [], .finishReturn)
    }
    if found.isHeld(drop) { return .goOn(drop, [], .putBack) }
    return found.isHoldThere ? .goOn(drop, [], .withdrawn) : wait(drop.holdPath)
  }

  /// A delivery that was on its way back into the zone; it is "held" in its box.
  private func undoing() -> Decision {
    guard found.isOriginThere else { return wait(drop.zonePath) }
    guard found.isBoxThere else { return wait(drop.boxPath) }
    // The scan that follows must not take what is back, or is about to be.
    let note = CopiedOriginal(undoing: drop)
    if let origin = found.origin, drop.isBack(origin.identity) {
      return .goOn(drop, [.commit([.putOriginal(note)])], .undo(backAs: origin))
    }
    if found.isHeld(drop) {
      // What was copied of it so far is copied again.
      var row = drop
      row.copyInode = nil
      let tidying: [Delivery.Step] = found.temporary == nil ? [] : [.remove(.halfCopy)]
      return .goOn(
        row, tidying + [.commit([.put(row), .putCopiedOriginal(CopiedOriginal(undoing: row))])], .undo(backAs: nil))
    }
    return .goOn(drop, found.temporary == nil ? [] : [.remove(.halfCopy)], .withdrawn)
  }

  /// A copy that was about to be removed from its box.
  private func removing() -> Decision {
    guard found.isBoxThere else { return wait(drop.boxPath) }
    guard found.isHeld(drop) else { return .goOn(drop, [], .undoCopy(isThere: false)) }
    guard found.isOriginThere else { return wait(drop.zonePath) }
    // The copy may be the last that has these bytes.
    let hasOriginal = found.origin.map { $0.size == drop.size && $0.modified == drop.modified } ?? false
    return .goOn(drop, [], hasOriginal ? .undoCopy(isThere: true) : .letDeliveryStand)
  }
}

extension Drop {
  /// Whether a file in the zone is this payload, put back: itself, or its copy from another file system.
  package func isBack(_ identity: FileIdentity) -> Bool {
    identity.matches(inode: inode, birth: birth) || identity.inode == copyInode
  }
}

extension Delivery {
  /// A payload that was found in a hold and has no row: it goes to the rejects, with the verdict that its new row has.
  package init(placingOrphan row: Drop, policy: DeliveryPolicy) {
    self.init(row, policy: policy)
    commit([.put(row)], in: .recover(.tidying([], then: .place)))
  }
}

extension CopiedOriginal {
  /// The note of a payload that may be in the zone while its row waits. A scan that does not find it there forgets it.
  init(waiting drop: Drop) {
    self.init(returning: drop)
    changed = max(1, drop.changed)
  }
}
