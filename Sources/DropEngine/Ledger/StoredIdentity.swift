/// A file's identity as the ledger keeps it: without the device number, which may be another after a remount.
package struct StoredIdentity: Hashable, Sendable {
  package var inode: UInt64
  /// Nanoseconds since 1970; 0 where the file system keeps no birth time.
  package var birth: Int64

  package init(inode: UInt64, birth: Int64) {
    self.inode = inode
    self.birth = birth
  }
}

extension FileIdentity {
  package var stored: StoredIdentity { StoredIdentity(inode: inode, birth: birth) }

  /// Whether it is the same file as one known from before a restart.
  package func matches(_ stored: StoredIdentity) -> Bool { matches(inode: stored.inode, birth: stored.birth) }
}
