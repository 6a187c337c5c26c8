/// A delivery goes back under its own name in the zone, where it is left alone until it changes; the copy of an original
/// that is still in the zone only goes.
///
/// Nothing is removed before the ledger says so: the row is `returning` before the rename and `removing` before a copy
/// goes, so that after a crash the undo goes on. Until the payload has its name in the zone, whatever fails leaves the
/// delivery as it is. From then on it is back, whatever fails.
enum UndoPhase: Hashable, Sendable {
  case committing
  case renaming
  case copying
  case syncingCopy
  case committingCopy
  case namingCopy
  /// The file that has its name in the zone.
  case syncingOrigin(FileStatus?)
  case removingDelivered(FileStatus?)
  case syncingDelivered(FileStatus?)
  case committingReceipt
  /// The original of a copy that is about to go: nobody has synced it, and a power cut may leave it with other bytes.
  case syncingOriginal
  case committingRemoval
  case removingCopy
  case syncingRemoval
  /// Taking the request back, for the reason given.
  case removingHalfCopy(String)
  case syncingHalfCopyRemoval(String)
  case withdrawing(String)

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.committing, .done): delivery.go(.rename(.delivered, to: .origin), in: .undo(.renaming))
    case (.committing, .failed(let failure)), (.committingRemoval, .failed(let failure)):
      delivery.end(.refused("the ledger cannot be written: \(failure.message)"))
    case (.renaming, .renamed(let status)), (.namingCopy, .renamed(let status)): Self.isUndone(status, &delivery)
    case (.renaming, .failed(let failure)) where failure.kind == .otherFileSystem || failure.kind == .unsupported:
      delivery.go(.copy(.delivered, to: .halfCopy), in: .undo(.copying))
    case (.renaming, .failed(let failure)): Self.withdraw(failure.message, &delivery)
    case (.copying, _), (.syncingCopy, _), (.committingCopy, _), (.namingCopy, _): receiveCopying(event, &delivery)
    // Once its row is gone, nobody knows what a power cut brings back.
    case (.removingHalfCopy(let why), .done):
      delivery.go(.syncDirectory(.origin), in: .undo(.syncingHalfCopyRemoval(why)))
    case (.removingHalfCopy(let why), .failed), (.syncingHalfCopyRemoval(let why), .done),
      (.syncingHalfCopyRemoval(let why), .failed):
      Self.withdraw(why, &delivery)
    case (.withdrawing(let why), .done): delivery.end(.refused(why))
    default: receiveEnding(event, &delivery, at: now)
    }
  }

  private func receiveCopying(_ event: Delivery.Event, _ delivery: inout Delivery) {
    switch (self, event) {
    case (.copying, .copied(let copy)):
      delivery.drop.copyInode = copy.status.identity.inode
      // A copy is the only one that is left, whatever is said of durability.
      delivery.go(.sync(.halfCopy), in: .undo(.syncingCopy))
    case (.syncingCopy, .done): delivery.commit([.put(delivery.drop)], in: .undo(.committingCopy))
    case (.committingCopy, .done): delivery.go(.rename(.halfCopy, to: .origin), in: .undo(.namingCopy))
    case (_, .failed(let failure)):
      delivery.go(.remove(.halfCopy), in: .undo(.removingHalfCopy(failure.message)))
    default: break
    }
  }

  private func receiveEnding(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.syncingOrigin(let status), .done):
      delivery.go(.remove(.delivered), in: .undo(.removingDelivered(status)))
    case (.removingDelivered(let status), .done): Self.deliveredIsRemoved(status, &delivery, at: now)
    case (.syncingDelivered(let status), .done): Self.commitUndone(status, &delivery, at: now)
    case (.committingReceipt, .done): delivery.end(.finished)
    case (.committingReceipt, .failed(let failure)), (.withdrawing, .failed(let failure)):
      delivery.commitFailed(failure)
    case (.syncingOriginal, .done): delivery.commit([.put(delivery.drop)], in: .undo(.committingRemoval))
    case (.syncingOriginal, .failed(let failure)):
      delivery.end(.refused("its original cannot be synced: \(failure.message)"))
    case (.committingRemoval, .done): delivery.go(.remove(.delivered), in: .undo(.removingCopy))
    case (.removingCopy, .done): delivery.go(.syncDirectory(.delivered), in: .undo(.syncingRemoval))
    case (.removingCopy, .failed(let failure)):
      delivery.commit(
        [.remove(delivery.drop.id)], in: .undo(.withdrawing("its copy cannot be removed: \(failure.message)")))
    case (.syncingRemoval, .done): Self.commitCopyUndone(&delivery, at: now)
    case (.syncingRemoval, .failed(let failure)):
      delivery.tryAgain(.init(.blocked, "its copy is removed, and that cannot be synced: \(failure.message)"))
    case (_, .failed(let failure)):
      delivery.tryAgain(.init(.blocked, "it is back in the zone, and not everything is done: \(failure.message)"))
    default: break
    }
  }
}

extension UndoPhase {
  /// Goes on with an undo that a stop interrupted.
  static func resume(backAs status: FileStatus?, _ delivery: inout Delivery) {
    if let status { return isUndone(status, &delivery) }
    delivery.go(.rename(.delivered, to: .origin), in: .undo(.renaming))
  }

  static func resumeOfCopy(isThere: Bool, _ delivery: inout Delivery) {
    delivery.go(
      isThere ? .remove(.delivered) : .syncDirectory(.delivered), in: .undo(isThere ? .removingCopy : .syncingRemoval))
  }

  private static func isUndone(_ status: FileStatus?, _ delivery: inout Delivery) {
    if delivery.policy.isDurable || delivery.drop.copyInode != nil {
      delivery.go(.syncDirectory(.origin), in: .undo(.syncingOrigin(status)))
    } else {
      delivery.go(.remove(.delivered), in: .undo(.removingDelivered(status)))
    }
  }

  private static func deliveredIsRemoved(_ status: FileStatus?, _ delivery: inout Delivery, at now: Int64) {
    if delivery.policy.isDurable {
      delivery.go(.syncDirectory(.delivered), in: .undo(.syncingDelivered(status)))
    } else {
      commitUndone(status, &delivery, at: now)
    }
  }

  private static func commitUndone(_ status: FileStatus?, _ delivery: inout Delivery, at now: Int64) {
    var note = delivery.undoNote
    if let status {
      note.inode = status.identity.inode
      note.birth = status.identity.birth
      note.modified = status.modified
      note.changed = status.changed
    }
    delivery.ending = .other(Delivery.Ending(outcome: .undone))
    delivery.decided = now
    var record = delivery.record
    record.inode = delivery.drop.inode
    delivery.commit(
      [.putOriginal(note), .addReceipt(record), .remove(delivery.drop.id)], in: .undo(.committingReceipt))
  }

  private static func commitCopyUndone(_ delivery: inout Delivery, at now: Int64) {
    delivery.ending = .other(Delivery.Ending(outcome: .undone))
    delivery.decided = now
    delivery.commit([.addReceipt(delivery.record), .remove(delivery.drop.id)], in: .undo(.committingReceipt))
  }

  /// The delivery stands.
  static func withdraw(_ why: String, _ delivery: inout Delivery) {
    delivery.commit(
      [
        .remove(delivery.drop.id),
        .removeOriginal(zone: delivery.drop.zone, location: delivery.drop.location, of: delivery.drop.id),
      ],
      in: .undo(.withdrawing(why)))
  }
}

extension Delivery {
  /// An undo of what the receipt says was delivered.
  ///
  /// - Parameters:
  ///   - status: The file in the box.
  ///   - isCopy: Whether the original is still in the zone, so that only the copy goes.
  package init?(undoing record: ReceiptRecord, status: FileStatus, isCopy: Bool, policy: DeliveryPolicy) {
    guard let place = record.place else { return nil }
    // `source` says where it is and what it is called there, whatever bytes that name has.
    var drop = Drop(
      id: record.id, zone: record.zone, location: record.location, state: isCopy ? .removing : .returning,
      operation: isCopy ? record.operation : .move, zonePath: record.zonePath, boxPath: record.boxPath,
      rejectsPath: record.rejectsPath, holdPath: place.parent.description, entry: place.lastComponent.description,
      inode: status.identity.inode, birth: status.identity.birth, size: status.size, modified: status.modified,
      firstSeen: record.firstSeen, released: record.released ?? record.firstSeen,
      evidence: record.evidence ?? .quietOnly)
    drop.source = place
    drop.changed = status.changed
    drop.type = record.type
    drop.claimedType = record.claimedType
    drop.grade = record.grade
    drop.sha256 = record.sha256
    drop.attempts = record.attempts
    self.init(drop, policy: policy)
    if isCopy {
      go(.sync(.origin), in: .undo(.syncingOriginal))
    } else {
      commit([.put(drop)], in: .undo(.committing))
    }
  }

  /// Whether an undo has given the payload its name in the zone, so that it is back whatever fails.
  package var isUndoIrrevocable: Bool {
    switch phase {
    case .undo(.syncingOrigin), .undo(.removingDelivered), .undo(.syncingDelivered), .undo(.committingReceipt),
      .undo(.syncingRemoval):
      true
    default: false
    }
  }

  /// The note of what an undo puts into the zone, by what is known of it.
  package var undoNote: CopiedOriginal { CopiedOriginal(undoing: drop) }
}

extension CopiedOriginal {
  /// The note of a delivery that is about to be back in the zone, or is: itself, or its copy from another file system.
  init(undoing drop: Drop) {
    self.init(returning: drop)
    guard let copyInode = drop.copyInode else { return }
    inode = copyInode
    birth = 0
  }
}
