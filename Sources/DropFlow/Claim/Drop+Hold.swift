import DropEngine
import DropSystem

extension Drop {
  /// Whether the directory it was put into is there: a mount that goes takes it along, and what is not in the one that
  /// is then found under its path is not lost.
  var isHoldThere: Bool {
    guard let now = Self.identity(ofHold: holdPath) else { return false }
    return holdIdentity.map { now.matches($0) } ?? true
  }

  /// Whether anything has its name in the hold.
  var isInHold: Bool {
    guard let directory = try? FileDescriptor.open(RawPath(holdPath), [.pathOnly, .directory, .noFollow]) else {
      return false
    }
    return (try? FileStatus.read(at: RawPath(entry), in: directory.number)) != nil
  }

  static func identity(ofHold path: String) -> FileIdentity? {
    guard let directory = try? FileDescriptor.open(RawPath(path), [.pathOnly, .directory, .noFollow]) else {
      return nil
    }
    return try? FileStatus.read(at: directory.number).identity
  }

  /// Takes over what is seen of another file that lies in the hold under this row's name.
  mutating func become(_ held: FileStatus) {
    if original != nil, original?.size == nil, held.size != size || held.modified != modified {
      original?.size = size
      original?.sha256 = sha256
    }
    inode = held.identity.inode
    birth = held.identity.birth
    size = held.size
    modified = held.modified
    changed = held.changed
    links = held.links
  }
}
