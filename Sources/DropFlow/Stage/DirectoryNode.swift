import DropEngine
import DropSystem

/// What the directories of a zone on one mount have in common.
final class DirectoryGround {
  let zone: WatchedZone
  let device: UInt64
  let mount: UInt64
  let kind: FileSystemKind
  let work: FileSystemWork

  /// - Parameters:
  ///   - place: The file system.
  ///   - path: That of the first directory; for messages.
  init(zone: WatchedZone, _ directory: OpenedDirectory, at place: FileSystemQueue, _ path: RawPath) {
    self.zone = zone
    device = directory.status.identity.device
    mount = directory.status.mount
    kind = directory.kind
    work = FileSystemWork(for: zone, at: place, path)
  }

  deinit {
    work.close()
  }

  /// Whether `status` is that of a directory on the same mount.
  func contains(_ status: FileStatus) -> Bool { mount == status.mount && device == status.identity.device }

  /// Whether a rename leads from one to the other, as far as numbers tell: a subvolume has a device of its own.
  func isSame(as other: DirectoryGround) -> Bool { mount == other.mount && device == other.device }
}

/// One watched directory of a zone.
///
/// There may be a hundred thousand of them, so what only few need is kept elsewhere, and nothing is kept twice.
final class DirectoryNode {
  let ground: DirectoryGround
  var name: RawPath
  var children: [RawPath: Int32] = [:]
  private let inode: UInt64
  private let birth: Int64
  private var parentID: Int32
  private var watchID: Int32 = 0
  private var level: UInt8
  /// Whether its name or one above it is temporary: what lies below is staged and never released.
  var isTemporary: Bool

  init(
    on ground: DirectoryGround, parent: Int32?, name: RawPath, identity: FileIdentity, depth: Int, isTemporary: Bool
  ) {
    self.ground = ground
    self.name = name
    inode = identity.inode
    birth = identity.birth
    parentID = parent ?? 0
    level = UInt8(clamping: depth)
    self.isTemporary = isTemporary
  }

  var zone: WatchedZone { ground.zone }
  var kind: FileSystemKind { ground.kind }
  var identity: FileIdentity { FileIdentity(device: ground.device, inode: inode, birth: birth) }

  /// Whether `status` is that of this directory.
  func isSame(as status: FileStatus) -> Bool { identity.isSame(as: status.identity, on: kind) }

  var parent: Int32? {
    get { parentID == 0 ? nil : parentID }
    set { parentID = newValue ?? 0 }
  }

  /// The kernel counts watches from 1, as the tree does directories.
  var watch: Int32? {
    get { watchID == 0 ? nil : watchID }
    set { watchID = newValue ?? 0 }
  }

  var depth: Int {
    get { Int(level) }
    set { level = UInt8(clamping: newValue) }
  }

  /// What a name in this directory says, with what the directories above it say.
  func nameKind(of name: RawPath) -> NameKind {
    let own = zone.plan.lists.kind(of: name)
    return own == .ordinary && isTemporary ? .temporary(renamesFailures: false) : own
  }
}

extension FileIdentity {
  /// Whether two statuses are of the same directory.
  ///
  /// The first change below a directory of an overlay's lower layers copies it up, and the copy has another birth time.
  func isSame(as other: FileIdentity, on kind: FileSystemKind) -> Bool {
    device == other.device && inode == other.inode && (birth == other.birth || kind.copiesUp)
  }
}
