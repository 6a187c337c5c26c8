/// After a stop, a crash or a power cut: the row and the names that exist say where the payload was, and what is left to
/// do. A place that is not there, or was a mount point and is none now, says nothing about what lies in it.
///
/// The contract of durability. Each step is on the disk before the next one begins; "found" is what a crash right after
/// the step leaves.
///
/// Move, with the box on the hold's file system:
///
/// | # | step | found | recovery |
/// |---|---|---|---|
/// | 0 | sync the bytes in the zone | no row | the scan finds it |
/// | 1 | commit `claiming` | in the zone, not in the hold | close the row; the scan finds it |
/// | 2 | rename from the zone into the hold | in the hold | judge it again |
/// |   |   | in both (btrfs) | remove the zone's name, judge again |
/// |   |   | in neither | withdrawn |
/// |   |   | another file in the hold | give it back its name |
/// | 3 | type, rules, handler (each attempt is committed first) | in the hold | judge again; set aside after three starts |
/// | 4 | commit `placing` with verdict and name | in the hold | the verdict stands: go on at 5 |
/// |   |   | in the hold with another size | `damaged-by-power-cut` |
/// | 5 | (reason file,) rename from the hold to the destination | in the hold | go on at 5 |
/// |   |   | at the destination | go on at 6 |
/// |   |   | in both (btrfs) | remove the hold's name, go on at 6 |
/// |   |   | in the zone (the cut undid 2 as well) | close the row; the scan finds it |
/// |   |   | nowhere | its reader took it: go on at 7 without a place |
/// | 6 | sync the hold, then the destination's directory | as after 5 | as after 5 |
/// | 7 | commit the receipt | receipt | nothing |
///
/// Move, with the box on another file system, or of a file with other names:
///
/// | # | step | found | recovery |
/// |---|---|---|---|
/// | 5 | copy to the temporary | `placing`, with or without the temporary | remove the temporary, go on at 5 |
/// | 6 | sync the temporary and its directory | the same | the same |
/// | 7 | check the source, commit `copied` | temporary there | copy again once the row says `placing` |
/// |   |   | temporary there, source gone | go on at 8 |
/// | 8 | rename the temporary to the destination | at the destination | go on at 9 |
/// |   |   | both | remove the temporary, go on at 9 |
/// |   |   | neither | its reader took it: go on at 10 without a place |
/// | 9 | sync the destination's directory | as after 8 | as after 8 |
/// | 10 | commit `placed` with the receipt | `placed` | remove the source, in the hold or again in the zone |
/// | 11 | remove the source, sync, close the row | `placed`, no source | close the row |
///
/// Copies: the original stays, and a snapshot in the hold takes the payload's part. Without a verdict a snapshot is
/// removed and the original is staged again, unless the snapshot is all there is.
///
/// Returns and undos: `returning` is committed before the rename, and found in the hold (or the box), in both, or in the
/// zone; an undo of a copy is `removing` before the copy goes.
enum RecoverPhase: Hashable, Sendable {
  case finding
  /// Noting what is in the zone, or may be: it is not to be taken again while its row waits.
  case noting(String)
  /// Tidying up, one step after the other, and then going on.
  case tidying([Delivery.Step], then: Next)

  enum Next: Hashable, Sendable {
    case judge
    /// The verdict stands; the place is chosen again.
    case place
    /// In its place, or taken from there by its reader; only syncs and the receipt are missing.
    case finish(place: RawPath?, syncsHold: Bool)
    case finishCopy(place: RawPath?)
    case nameCopy
    case close
    case putBack
    case finishReturn
    case leaveInZone(AttemptCount?)
    case withdrawn
    case undo(backAs: FileStatus?)
    case undoCopy(isThere: Bool)
    case letDeliveryStand
  }

  func receive(_ event: Delivery.Event, _ delivery: inout Delivery, at now: Int64) {
    switch (self, event) {
    case (.finding, .found(let found)): Self.recover(found, &delivery, at: now)
    case (.tidying(let steps, let next), .done), (.tidying(let steps, let next), .renamed):
      Self.tidy(steps, then: next, &delivery, at: now)
    // A power cut has torn the reason, which is there; no other name is made here.
    case (.tidying(let steps, let next), .failed(let failure))
    where failure.kind == .exists && delivery.step == .writeReason:
      Self.tidy(steps, then: next, &delivery, at: now)
    case (.noting(let why), .done): Self.waitForPlaces(why, &delivery)
    case (.noting, .failed(let failure)): delivery.commitFailed(failure)
    case (_, .failed(let failure)): Self.findAgain("where it is cannot be seen: \(failure.message)", &delivery)
    default: break
    }
  }
}

extension RecoverPhase {
  static func recover(_ found: Delivery.Found, _ delivery: inout Delivery, at now: Int64) {
    delivery.isRecovered = true
    // Rows of earlier releases do not have it.
    if var original = delivery.drop.original, original.size == nil, found.hasOriginal(of: delivery.drop),
      let status = found.origin, status.modified == original.modified
    {
      original.size = status.size
      delivery.drop.original = original
    }
    let recovery = Recovery(drop: delivery.drop, found: found)
    switch recovery.decide() {
    case .wait(let why): findAgain(why, &delivery)
    case .goOn(let row, let steps, let next):
      delivery.drop = row
      tidy(steps, then: next, &delivery, at: now)
    }
  }

  private static func findAgain(_ why: String, _ delivery: inout Delivery) {
    var note = delivery.drop.copiedOriginal
    if delivery.mayBeNoted { note = CopiedOriginal(waiting: delivery.drop) }
    if delivery.drop.source != nil, delivery.drop.state == .returning { note = delivery.undoNote }
    guard let note else { return waitForPlaces(why, &delivery) }
    delivery.commit([.putCopiedOriginal(note)], in: .recover(.noting(why)))
  }

  private static func waitForPlaces(_ why: String, _ delivery: inout Delivery) {
    delivery.wait(.init(.blocked, why), then: .findNames, in: .recover(.finding))
  }

  private static func tidy(
    _ steps: [Delivery.Step], then next: Next, _ delivery: inout Delivery, at now: Int64
  ) {
    if let first = steps.first {
      return delivery.go(first, in: .recover(.tidying(Array(steps.dropFirst()), then: next)))
    }
    delivery.decided = now
    switch next {
    case .judge: JudgePhase.begin(&delivery)
    case .place: placeRecovered(&delivery)
    case .finish(let place, let syncsHold): finishRecovered(at: place, syncsHold: syncsHold, &delivery)
    case .finishCopy(let place): finishRecoveredCopy(at: place, &delivery)
    case .nameCopy: delivery.go(.chooseForCopy(from: 0), in: .copy(.choosingNext))
    case .close: ClosePhase.begin(&delivery)
    case .putBack: putBackRecovered(&delivery)
    case .finishReturn: ReturnPhase.finish(&delivery, at: now)
    case .leaveInZone(let count): delivery.end(.leftInZone(count))
    case .withdrawn: PlacePhase.vanished(&delivery, at: now)
    case .undo(let status): UndoPhase.resume(backAs: status, &delivery)
    case .undoCopy(let isThere): UndoPhase.resumeOfCopy(isThere: isThere, &delivery)
    case .letDeliveryStand:
      UndoPhase.withdraw("the delivery stands: its original is no longer what was copied", &delivery)
    }
  }

  private static func placeRecovered(_ delivery: inout Delivery) {
    delivery.isRecovered = false
    if delivery.drop.isAccepted {
      delivery.wishes.directory = delivery.drop.destinationDirectory
      delivery.wishes.name = delivery.drop.destinationName.flatMap {
        $0 == delivery.drop.location.lastComponent ? nil : $0
      }
    }
    PlacePhase.choose(from: 0, &delivery)
  }

  private static func finishRecovered(at place: RawPath?, syncsHold: Bool, _ delivery: inout Delivery) {
    delivery.ending = .other(Delivery.Ending(place: place))
    guard place != nil else { return PlacePhase.commitReceipt(&delivery) }
    if syncsHold { return delivery.go(.syncDirectory(.hold), in: .place(.syncingHold)) }
    delivery.go(.syncDirectory(.destination), in: .place(.syncingDestination))
  }

  private static func finishRecoveredCopy(at place: RawPath?, _ delivery: inout Delivery) {
    delivery.ending = .other(Delivery.Ending(place: place))
    guard place != nil else { return CopyPhase.commitReceipt(&delivery) }
    delivery.go(.syncDirectory(.destination), in: .copy(.syncingDestination))
  }

  private static func putBackRecovered(_ delivery: inout Delivery) {
    delivery.go(
      .rename(.hold, to: .origin), in: .giveBack(.renaming(.init(message: "it was on its way back", delay: .zero))))
  }
}

extension Delivery {
  /// A payload of which the ledger has a row from an earlier process.
  package init(recovering row: Drop, policy: DeliveryPolicy, afterCleanStop: Bool) {
    self.init(row, policy: policy)
    // Counted when a handler or the type check began; a clean stop proves that it was not the payload's fault.
    if afterCleanStop, row.state == .claiming { drop.starts = 0 }
    mayBeNoted = row.source == nil && row.original == nil
    // They were before their row said where they go.
    isSynced = row.state == .placing || row.state == .copied
    go(.findNames, in: .recover(.finding))
  }

  /// Whether the names of an earlier process are still being sorted out.
  package var isRecovering: Bool {
    switch phase {
    case .recover: true
    default: false
    }
  }
}
