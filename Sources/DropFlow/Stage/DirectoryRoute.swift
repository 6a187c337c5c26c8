import DropEngine
import DropSystem

/// How to reach a watched directory, and how to tell that it is still the one that is watched.
struct DirectoryRoute: Sendable {
  /// Where the zone's path leads.
  let root: RawPath
  /// Relative to the root.
  let location: RawPath
  let identity: FileIdentity
  let kind: FileSystemKind

  /// Opens the directory; fails with `stale` if the route leads to another one by now.
  func open() throws(FileError) -> Directory {
    let directory = try Directory(root, noFollow: true).directory(at: location)
    guard identity.isSame(as: try directory.status().identity, on: kind) else {
      throw FileError(.stale, .open, directory.path)
    }
    return directory
  }

  /// Inspects a name in the directory, once it is open; a network file system's server is asked and not a cache.
  func status(of name: RawPath, in directory: Directory) throws(FileError) -> FileStatus {
    try directory.status(of: name, fresh: kind.evidence == .scans)
  }
}

extension Errno {
  /// Whether the name belongs to another file or to none by now; any other error says nothing about that.
  var saysGone: Bool { [.noEntry, .stale, .notDirectory, .loop, .crossDevice].contains(self) }

  /// Whether the error may pass and says nothing about the file.
  var isPassing: Bool { !saysGone && !isForbidden && self != .nameTooLong }

  /// Whether the daemon lacks the rights.
  var isForbidden: Bool { self == .access || self == .notPermitted }
}
