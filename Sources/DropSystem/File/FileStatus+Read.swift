internal import CLinux
package import DropEngine
internal import Glibc

extension FileStatus {
  /// Looks at `name` in `directory` without following a link: statx(2).
  ///
  /// `fresh` asks a network file system's server instead of a cache.
  package static func read(at name: RawPath, in directory: Int32, fresh: Bool = false) throws(Errno) -> FileStatus {
    try unsafe name.withCString { (name) throws(Errno) in
      try unsafe statx(name, directory, AT_SYMLINK_NOFOLLOW | (fresh ? CLINUX_AT_STATX_FORCE_SYNC : 0))
    }
  }

  /// Looks at an open file, whatever its name is now.
  package static func read(at descriptor: Int32) throws(Errno) -> FileStatus {
    try unsafe RawPath(bytes: []).withCString { (name) throws(Errno) in
      try unsafe statx(name, descriptor, CLINUX_AT_EMPTY_PATH)
    }
  }

  private static func statx(_ name: UnsafePointer<CChar>, _ directory: Int32, _ flags: Int32) throws(Errno)
    -> FileStatus
  {
    let mask = UInt32(STATX_BASIC_STATS | STATX_BTIME) | CLINUX_STATX_MNT_ID
    var status = CLinux.statx()
    try check { unsafe clinux_statx(directory, name, flags | CLINUX_AT_NO_AUTOMOUNT, mask, &status) }
    let kind: Kind =
      switch UInt32(status.stx_mode) & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      default: .device
      }
    let allocated = Int64(clamping: status.stx_blocks).multipliedReportingOverflow(by: 512)
    let birth = status.stx_mask & UInt32(STATX_BTIME) != 0 ? nanoseconds(status.stx_btime) : 0
    let immutable = UInt64(STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)
    return FileStatus(
      kind: kind,
      identity: FileIdentity(
        device: UInt64(status.stx_dev_major) << 32 | UInt64(status.stx_dev_minor), inode: status.stx_ino, birth: birth),
      size: Int64(clamping: status.stx_size), allocated: allocated.overflow ? .max : allocated.partialValue,
      modified: nanoseconds(status.stx_mtime), changed: nanoseconds(status.stx_ctime),
      links: status.stx_nlink, owner: status.stx_uid, group: status.stx_gid, mode: UInt32(status.stx_mode) & 0o7777,
      mount: status.stx_mnt_id, isMountRoot: status.stx_attributes & UInt64(CLINUX_STATX_ATTR_MOUNT_ROOT) != 0,
      isImmutable: status.stx_attributes & immutable != 0)
  }

  private static func nanoseconds(_ time: statx_timestamp) -> Int64 {
    // A stamp beyond the year 2262 does not fit; it is only ever compared.
    time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
  }
}
