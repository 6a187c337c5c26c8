import DropEngine
import DropSystem

/// A directory by the place it lies in and its way there from that, which together may be longer than a path can be.
struct PlaceBelow {
  let root: RawPath
  let location: RawPath

  init(_ root: String, _ location: RawPath = RawPath(bytes: [])) {
    self.init(RawPath(root), location)
  }

  init(_ root: RawPath, _ location: RawPath) {
    self.root = root
    self.location = location
  }

  /// Opens it step by step, without following links below the root.
  func open() throws(Errno) -> OpenFile {
    var directory = OpenFile(try FileDescriptor.open(root, [.pathOnly, .directory]))
    for part in location.components {
      directory = OpenFile(try FileDescriptor.open(part, in: directory.number, [.pathOnly, .directory, .noFollow]))
    }
    return directory
  }
}

extension Drop {
  /// Where it is held; of an undo the directory of the box that it was delivered to.
  var hold: PlaceBelow { delivery.map { PlaceBelow($0.parent, RawPath(bytes: [])) } ?? PlaceBelow(holdPath) }

  /// Its name there. In the hold it is one of ours, in the box any bytes.
  var heldName: RawPath { delivery?.lastComponent ?? RawPath(entry) }

  /// Where an undo takes it from.
  fileprivate var delivery: RawPath? { state == .returning ? source : nil }

  /// Where it goes, once that is decided.
  var destination: PlaceBelow? { destinationRoot.map { PlaceBelow($0, destinationDirectory) } }

  /// The zone, or the rejects when it is tried again.
  var originRoot: String { source == nil ? zonePath : rejectsPath }

  /// Where it was before the hold, below that.
  var origin: (directory: PlaceBelow, name: RawPath) {
    guard let source else { return (PlaceBelow(zonePath, location.parent), location.lastComponent) }
    let rejects = RawPath(rejectsPath + "/")
    let below = source.parent.bytes.dropFirst(rejects.bytes.count)
    let directory =
      source.bytes.starts(with: rejects.bytes)
      ? PlaceBelow(rejectsPath, RawPath(bytes: Array(below))) : PlaceBelow(source.parent, RawPath(bytes: []))
    return (directory, source.lastComponent)
  }
}

/// Looks and removals for which what is not there is an answer; any other error is none.
extension Recovery {
  func find(_ name: RawPath, in directory: PlaceBelow) throws(Errno) -> FileStatus? {
    do throws(Errno) {
      let directory = try directory.open()
      return try FileStatus.read(at: name, in: directory.number)
    } catch  where error == .noEntry || error == .notDirectory {
      return nil
    }
  }

  /// Whether the directory that a payload was put into is there: another one in its place says nothing of it.
  func isHoldThere(_ drop: Drop) throws(Errno) -> Bool {
    do throws(Errno) {
      let hold = try drop.hold.open()
      guard drop.delivery == nil, let known = drop.holdIdentity else { return true }
      return try FileStatus.read(at: hold.number).identity.matches(known)
    } catch  where error == .noEntry || error == .notDirectory {
      return false
    }
  }

  /// Whether a zone, a box or rejects are there; below a bare mount point they are not.
  func isThere(_ path: String) throws(Errno) -> Bool {
    do throws(Errno) {
      let root = try Directory.open(path)
      let status = try FileStatus.read(at: root.number)
      return status.isMountRoot || !wasMountPoint(path)
    } catch  where error == .noEntry || error == .notDirectory {
      return false
    }
  }

  /// Whether a hold is missing because what it lies on is: it will be there again, with what it holds.
  func isHoldAway(_ drop: Drop) throws(Errno) -> Bool {
    if try isHoldThere(drop) { return false }
    let (origin, box) = (try isThere(drop.originRoot), try isThere(drop.boxPath))
    return !origin || !box
  }

  func unlink(_ name: RawPath, in directory: PlaceBelow) throws(Errno) {
    do throws(Errno) {
      let directory = try directory.open()
      try Directory.unlink(name, in: directory.number)
    } catch  where error == .noEntry || error == .notDirectory {}
  }

  func sync(_ directory: PlaceBelow) throws(Errno) {
    do throws(Errno) {
      let directory = try directory.open()
      try Directory.syncWherePossible(directory.number)
    } catch  where error == .noEntry || error == .notDirectory {}
  }

  /// The reason was written and its reject did not follow: it would keep its own name from it.
  func removeReason(of drop: Drop, beside name: RawPath, in directory: PlaceBelow) {
    guard let folder = try? directory.open() else { return }
    ReasonFile.remove(of: drop.id, beside: name, in: folder.number)
    try? Directory.unlink(RawPath(".dropzone-\(drop.id).reason"), in: folder.number)
  }
}
