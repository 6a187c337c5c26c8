import DropEngine
import DropSystem

/// A directory, by the place it lies in and its way there from that; together the two may be longer than a path can be.
struct DirectoryBelow {
  let root: RawPath
  let location: RawPath

  init(_ root: RawPath, _ location: RawPath = RawPath(bytes: [])) {
    self.root = root
    self.location = location
  }

  /// Opens it step by step, without following links below the root.
  func open() throws(FileError) -> Directory {
    var directory = try Directory(root)
    for part in location.components { directory = try directory.directory(named: part) }
    return directory
  }
}

extension Drop {
  /// Where the payload was before the hold: in the zone, or in the rejects if it is tried again.
  var origin: (directory: DirectoryBelow, name: RawPath) {
    guard let source, state != .returning, state != .removing else {
      return (DirectoryBelow(RawPath(zonePath), location.parent), location.lastComponent)
    }
    let rejects = RawPath(rejectsPath + "/")
    let below = source.parent.bytes.dropFirst(rejects.bytes.count)
    let directory =
      source.bytes.starts(with: rejects.bytes)
      ? DirectoryBelow(RawPath(rejectsPath), RawPath(bytes: Array(below))) : DirectoryBelow(source.parent)
    return (directory, source.lastComponent)
  }

  /// Where an undo takes it from; nil for everything else.
  var delivered: RawPath? { state == .returning || state == .removing ? source : nil }
}
