/// A file in a zone that is not taken again until it changes: the original of a copy, or a payload that `undo` put back.
package struct CopiedOriginal: Hashable, Sendable {
  package var zone: String
  package var location: RawPath
  package var inode: UInt64
  package var birth: Int64
  package var size: Int64
  package var modified: Int64
  package var changed: Int64
  package var sha256: String?
  package var id: DropID

  package init(
    zone: String, location: RawPath, inode: UInt64, birth: Int64, size: Int64, modified: Int64, changed: Int64,
    sha256: String?, id: DropID
  ) {
    self.zone = zone
    self.location = location
    self.inode = inode
    self.birth = birth
    self.size = size
    self.modified = modified
    self.changed = changed
    self.sha256 = sha256
    self.id = id
  }

  /// Whether the file is as it was when the note was made; nil if only its change time differs, so that its bytes
  /// decide.
  package func holds(for status: FileStatus) -> Bool? {
    guard status.identity.matches(inode: inode, birth: birth), status.size == size, status.modified == modified else {
      return false
    }
    // 0 means that the file is about to appear, so its change time is not known yet.
    return changed == 0 || status.changed == changed ? true : nil
  }
}
