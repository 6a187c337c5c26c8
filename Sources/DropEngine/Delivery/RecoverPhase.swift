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
  /// Noting the original of a copy, which is in the zone and is not to be taken again while the copy waits.
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
    case (.finding, .found(let found)): delivery.recover(found, at: now)
    case (.tidying(let steps, let next), .done), (.tidying(let steps, let next), .renamed):
      delivery.tidy(steps, then: next, at: now)
    case (.noting(let why), .done): delivery.waitForPlaces(why)
    case (.noting, .failed(let failure)): delivery.commitFailed(failure)
    case (_, .failed(let failure)): delivery.findAgain("where it is cannot be seen: \(failure.message)")
    default: break
    }
  }
}

extension Delivery {
  /// A payload of which the ledger has a row from an earlier process.
  package init(recovering row: Drop, policy: DeliveryPolicy, afterCleanStop: Bool) {
    self.init(row, policy: policy)
    // Counted when a handler or the type check began; a clean stop proves that it was not the payload's fault.
    if afterCleanStop, row.state == .claiming { drop.starts = 0 }
    go(.findNames, in: .recover(.finding))
  }

  /// Whether the names of an earlier process are still being sorted out.
  package var isRecovering: Bool {
    switch phase {
    case .recover: true
    default: false
    }
  }

  /// Where the payload's names lead, as far as the places that they are in can be seen.
  package struct Found: Hashable, Sendable {
    package var held: FileStatus?
    package var origin: FileStatus?
    package var destination: FileStatus?
    package var temporary: FileStatus?
    package var isHoldThere = true
    /// Whether the zone, or the rejects for a reject that is tried again, is there; below a bare mount point it is not.
    package var isOriginThere = true
    package var isBoxThere = true
    package var isDestinationThere = true

    package init() {}

    /// Whether a hold is missing because what it lies on is: it will be there again, with what it holds.
    var isHoldAway: Bool { !isHoldThere && !(isOriginThere && isBoxThere) }

    func hasOriginal(of drop: Drop) -> Bool {
      guard let original = drop.original else { return false }
      return origin?.identity.matches(inode: original.inode, birth: original.birth) ?? false
    }

    func isHeld(_ drop: Drop) -> Bool { Self.matches(held, drop) }
    func isInOrigin(_ drop: Drop) -> Bool { Self.matches(origin, drop) }
    func isPlaced(_ drop: Drop) -> Bool { Self.matches(destination, drop) }

    private static func matches(_ status: FileStatus?, _ drop: Drop) -> Bool {
      status?.identity.matches(inode: drop.inode, birth: drop.birth) ?? false
    }
  }

  mutating func recover(_ found: Found, at now: Int64) {
    isRecovered = true
    // Rows of earlier releases do not have it.
    if var original = drop.original, original.size == nil, found.hasOriginal(of: drop),
      let status = found.origin, status.modified == original.modified
    {
      original.size = status.size
      drop.original = original
    }
    let recovery = Recovery(drop: drop, found: found)
    switch recovery.decide() {
    case .wait(let why): findAgain(why)
    case .goOn(let row, let steps, let next):
      drop = row
      tidy(steps, then: next, at: now)
    }
  }

  fileprivate mutating func findAgain(_ why: String) {
    guard let original = drop.copiedOriginal else { return waitForPlaces(why) }
    commit([.putCopiedOriginal(original)], in: .recover(.noting(why)))
  }

  fileprivate mutating func waitForPlaces(_ why: String) {
    wait(.init(.blocked, why), then: .findNames, in: .recover(.finding))
  }

  fileprivate mutating func tidy(_ steps: [Step], then next: RecoverPhase.Next, at now: Int64) {
    if let first = steps.first {
      return go(first, in: .recover(.tidying(Array(steps.dropFirst()), then: next)))
    }
    decided = now
    switch next {
    case .judge: beginJudging()
    case .place: placeRecovered()
    case .finish(let place, let syncsHold): finishRecovered(at: place, syncsHold: syncsHold)
    case .finishCopy(let place): finishRecoveredCopy(at: place)
    case .nameCopy: go(.chooseForCopy(from: 0), in: .copy(.choosingNext))
    case .close: beginClosing()
    case .putBack: putBackRecovered()
    case .finishReturn: finishReturn(at: now)
    case .leaveInZone(let count): end(.leftInZone(count))
    case .withdrawn: vanished(at: now)
    case .undo(let status): resumeUndo(backAs: status)
    case .undoCopy(let isThere): resumeUndoOfCopy(isThere: isThere)
    case .letDeliveryStand: withdrawUndo("the delivery stands: its original is no longer what was copied")
    }
  }

  private mutating func placeRecovered() {
    isRecovered = false
    if drop.isAccepted {
      wishes.directory = drop.destinationDirectory
      wishes.name = drop.destinationName.flatMap { $0 == drop.location.lastComponent ? nil : $0 }
    }
    choose(from: 0)
  }

  private mutating func finishRecovered(at place: RawPath?, syncsHold: Bool) {
    ending = .other(Ending(place: place))
    guard place != nil else { return commitReceipt() }
    if syncsHold { return go(.syncDirectory(.hold), in: .place(.syncingHold)) }
    go(.syncDirectory(.destination), in: .place(.syncingDestination))
  }

  private mutating func finishRecoveredCopy(at place: RawPath?) {
    ending = .other(Ending(place: place))
    guard place != nil else { return commitCopyReceipt() }
    go(.syncDirectory(.destination), in: .copy(.syncingDestination))
  }

  private mutating func putBackRecovered() {
    go(.rename(.hold, to: .origin), in: .giveBack(.renaming(.init(message: "it was on its way back", delay: .zero))))
  }
}
