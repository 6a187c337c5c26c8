/// The attempts made so far on a file in a zone, with the id and the number that it keeps when it is taken again.
///
/// They belong to the file's identity, not to its name.
package struct AttemptCount: Hashable, Sendable {
  package var zone: String
  package var inode: UInt64
  package var birth: Int64
  package var location: RawPath
  package var id: DropID
  package var attempts: Int
  package var starts: Int
  /// The file's number in the session in which it arrived; nil if it is not known.
  package var ordinal: Int?

  package init(
    zone: String, inode: UInt64, birth: Int64, location: RawPath, id: DropID, attempts: Int, starts: Int,
    ordinal: Int? = nil
  ) {
    self.zone = zone
    self.inode = inode
    self.birth = birth
    self.location = location
    self.id = id
    self.attempts = attempts
    self.starts = starts
    self.ordinal = ordinal
  }

  /// The count for the file that a receipt is about.
  package init(of record: ReceiptRecord) {
    self.init(
      zone: record.zone, inode: record.inode, birth: record.birth, location: record.location, id: record.id,
      attempts: record.attempts, starts: 0)
  }

  /// The count for the file that a drop has in its zone; for a copy, that is the original.
  package init(of drop: Drop) {
    self.init(
      zone: drop.zone, inode: drop.original?.inode ?? drop.inode, birth: drop.original?.birth ?? drop.birth,
      location: drop.location, id: drop.id, attempts: drop.attempts, starts: drop.starts,
      ordinal: drop.ordinal)
  }
}
