/// What must be met: every phase of the delivery machine, kind of failure and row of the recovery tables that the model
/// can show.
///
/// It cannot show a file that is immutable, a name that another file gets in the middle of a claim, and names that a power
/// cut leaves twice only where nothing was synced in between.
extension Coverage {
  /// What was not met.
  package var missing: [String] {
    Self.phases.filter { phases[$0] == nil } + Self.failures.filter { failures[$0] == nil }
      + Self.recoveries.filter { recoveries[$0] == nil }
  }

  private static let phases: [String] = [
    ("ask", "asking committingAttempt countingStart inspecting keeping waitingForWorker"),
    (
      "claim",
      "committing copying forgetting givingBack removingSnapshot renaming syncing syncingHold syncingOrigin syncingRemoval syncingSnapshot syncingSnapshotName"
    ),
    (
      "close",
      "choosingName closing forgettingNote givingBack noting notingChange removingHeld removingOldReason removingOrigin syncingHold syncingOldReason syncingOrigin syncingReturn syncingReturnHold"
    ),
    (
      "copy",
      "choosingNext committing committingReceipt copying inspectingSource removingCopy renaming syncingCopy syncingCopyName syncingDestination syncingRemoval withdrawing writingReason"
    ),
    ("giveBack", "closing committing findingOriginal removingCopy renaming syncingHold syncingOrigin syncingRemoval"),
    ("judge", "checking configuring countingStart keeping syncingChange voiding"),
    (
      "place",
      "choosing committing committingReceipt comparing removingReason renaming syncingDestination syncingEmptyHold syncingEmptyOrigin syncingHold syncingMetadata writingReason"
    ),
    ("recover", "finding noting tidying"),
    (
      "undo",
      "committing committingCopy committingReceipt committingRemoval copying namingCopy removingCopy removingDelivered removingHalfCopy renaming syncingCopy syncingDelivered syncingHalfCopyRemoval syncingOrigin syncingOriginal syncingRemoval withdrawing"
    ),
  ].flatMap { phase, names in names.split(separator: " ").map { "\(phase).\($0)" } }

  private static let failures = [
    "accessDenied", "changed", "exists", "holdMissing", "ledgerNoRoom", "missing", "nameRefused", "nameTooLong",
    "noRoom", "notPermitted", "other", "otherFileSystem", "readOnly", "tooLarge", "unsupported",
  ]

  private static let recoveries = [
    "claiming, in both",
    "claiming, in the hold",
    "claiming, in the zone",
    "claiming, nowhere",
    "copied, at the destination",
    "copied, neither",
    "copied, temporary",
    "copied, temporary, source gone",
    "placed, in the hold",
    "placed, in the zone",
    "placed, no source",
    "placing, at the destination",
    "placing, in both",
    "placing, in the hold",
    "placing, in the zone",
    "placing, nowhere",
    "placing, temporary",
    "placing, with another size",
    "removing, gone",
    "removing, in the box",
    "returning, in the hold",
    "returning, in the zone",
    "snapshot, no verdict",
    "snapshot, no verdict, gone",
    "undoing, in both",
    "undoing, in the box",
    "undoing, in the zone",
    "undoing, nowhere",
  ]
}
