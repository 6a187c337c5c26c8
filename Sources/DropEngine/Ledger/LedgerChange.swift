/// One change to the ledger; the changes of one commit are written together or not at all.
package enum LedgerChange: Hashable, Sendable {
  /// Writes a payload's row, new or changed.
  case put(Drop)
  case remove(DropID)
  /// Removes a payload's row if it is still in that state.
  case removeIfState(DropID, Drop.State)
  /// Notes how many starts of the daemon may have died on a payload that is still waiting for its verdict.
  ///
  /// Changes nothing once the payload has gone to its place, or to its handler for another attempt.
  case setStarts(Int, of: DropID, attempts: Int)
  /// Adds a receipt and counts it in the totals of its zone.
  case addReceipt(ReceiptRecord)
  /// Writes the count for a file, with the time of the note in milliseconds since 1970.
  case putAttempts(AttemptCount, at: Int64)
  case removeAttempts(AttemptCount)
  /// Writes the note of a name; replaces the one that the name has.
  case putOriginal(CopiedOriginal)
  /// Writes the note of a name unless it has one from a later drop.
  case putCopiedOriginal(CopiedOriginal)
  /// Removes the note of a name; if a drop is given, only if the note is from that drop.
  case removeOriginal(zone: String, location: RawPath, of: DropID?)
  /// Sets one of the daemon's own values; nil removes it.
  case setMeta(String, String?)
  /// Notes whether a path is expected to be a mount point.
  case setMountPoint(String, Bool)
}

extension LedgerChange {
  /// The change of `setStarts` for a payload as it is now.
  package static func setStarts(_ starts: Int, of drop: Drop) -> LedgerChange {
    .setStarts(starts, of: drop.id, attempts: drop.attempts)
  }
}
