/// What a file is, in the file system's own terms: the same file keeps it under every name.
///
/// Identity in memory; a device number means nothing after a remount, so the ledger keeps inode and birth time only.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  /// Nanoseconds since 1970; 0 where the file system keeps no birth time.
  package var birth: Int64

  package init(device: UInt64, inode: UInt64, birth: Int64) {
    self.device = device
    self.inode = inode
    self.birth = birth
  }

  /// Whether it is the same file as one known from before a restart.
  package func matches(inode: UInt64, birth: Int64) -> Bool {
    self.inode == inode && (self.birth == birth || self.birth == 0 || birth == 0)
  }
}

/// What one look at a name found.
package struct FileStatus: Hashable, Sendable {
  package var kind: Kind
  package var identity: FileIdentity
  /// Bytes.
  package var size: Int64
  /// Bytes allocated on the disk.
  package var allocated: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64
  package var changed: Int64
  package var links: UInt32
  package var owner: UInt32
  package var group: UInt32
  /// Permission bits, with set-id and sticky.
  package var mode: UInt32
  package var mount: UInt64
  package var isMountRoot: Bool
  package var isImmutable: Bool

  package enum Kind: String, Hashable, Sendable {
    case regular = "regular file"
    case directory = "directory"
    case symbolicLink = "symbolic link"
    case fifo = "named pipe"
    case socket = "socket"
    case device = "device"
  }

  package init(
    kind: Kind, identity: FileIdentity, size: Int64, allocated: Int64 = 0, modified: Int64 = 0, changed: Int64 = 0,
    links: UInt32 = 1, owner: UInt32 = 0, group: UInt32 = 0, mode: UInt32 = 0o644, mount: UInt64 = 0,
    isMountRoot: Bool = false, isImmutable: Bool = false
  ) {
    self.kind = kind
    self.identity = identity
    self.size = size
    self.allocated = allocated
    self.modified = modified
    self.changed = changed
    self.links = links
    self.owner = owner
    self.group = group
    self.mode = mode
    self.mount = mount
    self.isMountRoot = isMountRoot
    self.isImmutable = isImmutable
  }

  /// Whether nothing was written or set between two looks at the same file.
  package func isUnchanged(since earlier: FileStatus) -> Bool {
    identity == earlier.identity && size == earlier.size && modified == earlier.modified && changed == earlier.changed
  }
}
