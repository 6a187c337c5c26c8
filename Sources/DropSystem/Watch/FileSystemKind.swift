internal import CLinux
package import DropEngine

/// The kind of a file system, which determines whether events arrive and what a read lease proves.
package struct FileSystemKind: Hashable, Sendable {
  /// The usual name, or the number from statfs(2) in hexadecimal.
  package var name: String
  /// What shows on this file system that a file is not open for writing.
  package var evidence: Evidence
  /// Whether a power cut destroys all files.
  package var isVolatile: Bool

  /// Whether every change of a file here causes an event.
  package var raisesEvents: Bool { evidence == .lease }

  /// Whether a change to a file in a lower layer gives it another birth time.
  package var copiesUp: Bool { name == "overlay" }

  /// Creates the kind of the file system of an open file or directory.
  package init(of descriptor: Int32) {
    self.init(magic: clinux_filesystem_type(descriptor))
  }

  /// A lease is evidence only on these local file systems. Elsewhere, a writer on another machine or behind the mount is
  /// not visible. The probe at the start can only remove a file system from this list.
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
