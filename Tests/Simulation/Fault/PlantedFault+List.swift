import DropEngine

extension PlantedFault {
  /// Every planted fault; the simulator finds each of them.
  package static let all: [PlantedFault] = syncs + orders + rows + meanings + removals

  /// Faults that break no promise on ext4, xfs and btrfs. A sync of a new file puts its name on the disk as well there;
  /// POSIX does not say so. And a payload that is in the zone again is recovered alike, whether its row says that it
  /// was to go there or not.
  package static let harmless: [PlantedFault] = [
    skipping("a copy's name is not synced before its row says that it is whole") { step, delivery in
      step == .syncDirectory(.destination) && delivery.stage == .copy
    },
    delaying("`returning` is committed after the rename into the zone") { step, delivery in
      puts(.returning, step) && delivery.drop.source == nil
    },
  ]

  // MARK: - A sync left out

  private static let syncs: [PlantedFault] = [
    skipping("the payload's bytes are not synced before its claim") { step, _ in step == .sync(.origin) },
    skipping("a snapshot's bytes are not synced") { step, delivery in
      step == .sync(.hold) && delivery.stage == .claim
    },
    skipping("a snapshot's name is not synced") { step, delivery in
      step == .syncDirectory(.hold) && delivery.stage == .claim
    },
    skipping("what a handler changed is not synced") { step, delivery in
      step == .sync(.hold) && (delivery.stage == .judge || delivery.stage == .place)
    },
    skipping("the hold is not synced after the rename into the box") { step, delivery in
      step == .syncDirectory(.hold) && delivery.stage == .receipts && delivery.drop.state == .placing
    },
    skipping("the box is not synced before the receipt") { step, delivery in
      step == .syncDirectory(.destination) && delivery.stage == .receipts
    },
    skipping("a copy's bytes are not synced") { step, _ in step == .sync(.temporary) },
    skipping("a source's removal is not synced before its row is closed") { step, delivery in
      (step == .syncDirectory(.hold) || step == .syncDirectory(.origin)) && delivery.drop.state == .placed
    },
    skipping("a return is not synced before its row is closed") { step, delivery in
      delivery.drop.state == .returning && delivery.drop.source == nil && isDirectorySync(step)
    },
    skipping("an undo's copy is not synced") { step, _ in step == .sync(.halfCopy) },
    skipping("the zone is not synced before an undone delivery leaves the box") { step, delivery in
      step == .syncDirectory(.origin) && delivery.drop.state == .returning && delivery.drop.source != nil
    },
    skipping("the removal of a copy is not synced before it is undone") { step, _ in step == .syncDirectory(.delivered)
    },
    skipping("what a handler took is not synced before its receipt") { step, delivery in
      delivery.drop.state == .claiming && delivery.stage == .receipts && isDirectorySync(step)
    },
  ]

  // MARK: - Two steps in the wrong order

  private static let orders: [PlantedFault] = [
    delaying("the claim is committed after the rename into the hold") { step, delivery in
      puts(.claiming, step) && delivery.stage == .claim
    },
    delaying("the destination is committed after the rename into it") { step, _ in puts(.placing, step) },
    delaying("`copied` is committed after the copy has its name") { step, _ in puts(.copied, step) },
    delaying("an undo is committed after the rename into the zone") { step, delivery in
      puts(.returning, step) && delivery.drop.source != nil
    },
    delaying("the undo of a copy is committed after its removal") { step, _ in puts(.removing, step) },
    delaying("the hold is synced after the receipt") { step, delivery in
      step == .syncDirectory(.destination) && delivery.stage == .receipts
    },
    delaying("an attempt is committed after the handler was asked") { step, delivery in
      puts(.claiming, step) && delivery.stage == .handler
    },
    delaying("a reason is written after its reject has its name") { step, _ in step == .writeReason },
  ]

  // MARK: - A row that lacks something

  private static let rows: [PlantedFault] = [
    recovering("recovery forgets the inode of a copy") { $0.copyInode = nil },
    recovering("recovery forgets the verdict") { $0.verdict = nil },
    recovering("recovery forgets where a payload goes") { $0.destinationName = nil },
    recovering("recovery forgets where a reject came from") { if $0.state != .returning { $0.source = nil } },
    recovering("recovery forgets that a payload is a copy") { $0.original = nil },
    recovering("recovery takes every payload for undecided") { $0.state = .claiming },
    recovering("recovery forgets the size") { $0.size = 0 },
    rewriting("the row of a payload that is placed does not name its place") { drop in
      if drop.state == .placing { drop.destinationName = nil }
    },
    rewriting("the row of a copy lacks its inode") { drop in
      if drop.state == .copied { drop.copyInode = nil }
    },
    rewriting("the row of a snapshot lacks its original") { drop in drop.original = nil },
    dropping("a receipt is not written") { change in
      if case .addReceipt = change { true } else { false }
    },
    dropping("the original of a copy is not noted") { change in
      if case .putCopiedOriginal = change { true } else { false }
    },
    dropping("what an undo puts back is not noted") { change in
      if case .putOriginal = change { true } else { false }
    },
    dropping("the row of a finished payload stays") { change in
      if case .remove = change { true } else { false }
    },
  ]

  // MARK: - An error taken for another

  private static let meanings: [PlantedFault] = [
    reporting("a name that is taken counts as free", .exists, nil),
    reporting("a hold that is not there counts as empty", .holdMissing, .missing),
    reporting("another file system counts as an unavailable place", .otherFileSystem, .other),
    reporting("a payload that is gone counts as an unavailable place", .missing, .other),
    reporting("an error of a place counts as a payload that is gone", .other, .missing),
    reporting("a full box counts as a payload that is gone", .noRoom, .missing),
    reporting("a payload that changed during its claim counts as claimed", .changed, nil),
  ]

  // MARK: - A name removed, replaced or kept

  private static let removals: [PlantedFault] = [
    skipping("the source of a copy stays in the hold") { step, delivery in
      step == .remove(.hold) && delivery.drop.state == .placed
    },
    skipping("a half copy is not removed at recovery") { step, delivery in
      step == .remove(.temporary) && delivery.isRecovering
    },
    skipping("the reason of a reject that was tried again stays") { step, _ in step == .remove(.oldReason) },
    skipping("the second name after a power cut stays") { step, delivery in
      step == .remove(.origin) && delivery.isRecovering
    },
    replacing("every rename into the box replaces what is there") { step, _ in
      if case .rename(let name, .destination, _) = step {
        .rename(name, to: .destination, replacing: true)
      } else {
        step
      }
    },
    replacing("a copy's source goes before its receipt") { step, delivery in
      delivery.stage == .receipts && step == .syncDirectory(.destination) && delivery.drop.state == .copied
        ? .remove(.hold) : step
    },
    replacing("an undo removes its delivery before anything is committed") { step, _ in
      puts(.removing, step) ? .remove(.delivered) : step
    },
    replacing("a retry removes the reject before it is in the hold") { step, delivery in
      puts(.claiming, step) && delivery.stage == .claim && delivery.drop.source != nil ? .remove(.origin) : step
    },
    replacing("a temporary goes as soon as its row says `copied`") { step, delivery in
      if case .rename(.temporary, _, _) = step { .remove(.temporary) } else { step }
    },
    ignoringChanges,
  ]

  private static var ignoringChanges: PlantedFault {
    var fault = PlantedFault("a payload that changed after its verdict is placed")
    fault.reports = { event, delivery in
      guard case .changedSinceJudged = event, case .choose(let number) = delivery.step else { return event }
      return .chosen(
        .init(
          root: delivery.rootPath, directory: delivery.drop.location.parent,
          name: delivery.drop.location.lastComponent, number: number, replaces: false))
    }
    return fault
  }
}

// MARK: - Kinds of faults

extension PlantedFault {
  private static func skipping(
    _ name: String, _ skips: @escaping @Sendable (Delivery.Step, Delivery) -> Bool
  ) -> PlantedFault {
    var fault = PlantedFault(name)
    fault.skips = skips
    return fault
  }

  private static func delaying(
    _ name: String, _ delays: @escaping @Sendable (Delivery.Step, Delivery) -> Bool
  ) -> PlantedFault {
    var fault = PlantedFault(name)
    fault.delays = delays
    return fault
  }

  private static func replacing(
    _ name: String, _ replaces: @escaping @Sendable (Delivery.Step, Delivery) -> Delivery.Step
  ) -> PlantedFault {
    var fault = PlantedFault(name)
    fault.replaces = replaces
    return fault
  }

  private static func recovering(_ name: String, _ change: @escaping @Sendable (inout Drop) -> Void) -> PlantedFault {
    var fault = PlantedFault(name)
    fault.recovers = { row in
      var row = row
      change(&row)
      return row
    }
    return fault
  }

  private static func rewriting(_ name: String, _ change: @escaping @Sendable (inout Drop) -> Void) -> PlantedFault {
    var fault = PlantedFault(name)
    fault.rewrites = { changes, _ in
      changes.map {
        guard case .put(var drop) = $0 else { return $0 }
        change(&drop)
        return .put(drop)
      }
    }
    return fault
  }

  private static func dropping(_ name: String, _ isDropped: @escaping @Sendable (LedgerChange) -> Bool) -> PlantedFault
  {
    var fault = PlantedFault(name)
    fault.rewrites = { changes, _ in changes.filter { !isDropped($0) } }
    return fault
  }

  /// - Parameter other: What the failure is taken for; nil if it is taken for success.
  private static func reporting(
    _ name: String, _ kind: Delivery.Failure.Kind, _ other: Delivery.Failure.Kind?
  ) -> PlantedFault {
    var fault = PlantedFault(name)
    fault.reports = { event, delivery in
      guard case .failed(let failure) = event, failure.kind == kind else { return event }
      if let other { return .failed(.init(other, failure.message)) }
      return if case .rename = delivery.step { .renamed(nil) } else { .done }
    }
    return fault
  }

  private static func puts(_ state: Drop.State, _ step: Delivery.Step) -> Bool {
    guard case .commit(let changes) = step else { return false }
    return changes.contains { if case .put(let drop) = $0 { drop.state == state } else { false } }
  }

  private static func isDirectorySync(_ step: Delivery.Step) -> Bool {
    if case .syncDirectory = step { true } else { false }
  }
}
