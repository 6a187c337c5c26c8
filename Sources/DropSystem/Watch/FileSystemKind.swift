internal import CLinux
package import DropEngine

/// What a file system can prove: whether events arrive, and what a read lease is worth.
package struct FileSystemKind: Hashable, Sendable {
  /// The name as statfs(2) users know it, or the number in hexadecimal.
  package var name: String
  /// What the absence of a writer rests on, when a lease is granted or refused there.
  package var evidence: Evidence
  /// Whether the bytes survive a power cut at all.
  package var isVolatile: Bool

  /// Whether every change of a file here raises an event.
  package var raisesEvents: Bool { evidence == .lease }

  /// Whether what lies in a layer below gets another birth by being changed.
  package var copiesUp: Bool { name == "overlay" }

  /// Of the file system that an open file or directory lies on.
  package init(of descriptor: Int32) {
    self.init(magic: clinux_filesystem_type(descriptor))
  }

  /// A lease is evidence only on this list of local file systems: elsewhere a writer on another machine, or behind
  /// the mount, does not show. The probe at start can only take one off the list.
  init(magic: Int) {
    isVolatile = magic == 0x0102_1994
    switch magic {
    case 0xEF53: (name, evidence) = ("ext", .lease)
    case 0x5846_5342: (name, evidence) = ("xfs", .lease)
    case 0x9123_683E: (name, evidence) = ("btrfs", .lease)
    case 0xF2F5_2010: (name, evidence) = ("f2fs", .lease)
    case 0x0102_1994: (name, evidence) = ("tmpfs", .lease)
    case 0x2FC1_2FC1: (name, evidence) = ("zfs", .lease)
    case 0xCA45_1A4E: (name, evidence) = ("bcachefs", .lease)
    case 0x4D44: (name, evidence) = ("vfat", .lease)
    case 0x2011_BAB0: (name, evidence) = ("exfat", .lease)
    case 0x794C_7630: (name, evidence) = ("overlay", .leaseNoMaps)
    case 0x6573_5546: (name, evidence) = ("fuse", .scans)
    case 0x6969: (name, evidence) = ("nfs", .scans)
    case 0xFF53_4D42, 0xFE53_4D42: (name, evidence) = ("smb", .scans)
    case 0x0102_1997: (name, evidence) = ("9p", .scans)
    case 0x00C3_6400: (name, evidence) = ("ceph", .scans)
    default: (name, evidence) = ("0x" + String(magic, radix: 16), .scans)
    }
  }
}
