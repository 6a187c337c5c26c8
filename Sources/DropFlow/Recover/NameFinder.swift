import DropEngine
import DropSystem

/// Looks where a row's names lead after a stop. What is not there is an answer; any other error is none.
struct NameFinder: Sendable {
  let context: FlowContext

  func find(_ drop: Drop) -> Delivery.Event {
    do throws(FileError) {
      var found = Delivery.Found()
      let isUndo = drop.delivered != nil
      found.isHoldThere = try isUndo ? exists(hold(of: drop)) : drop.isHoldThere
      found.held = try status(of: drop.delivered?.lastComponent ?? RawPath(drop.entry), in: hold(of: drop))
      let (directory, name) = drop.origin
      found.origin = try status(of: name, in: directory)
      found.isOriginThere = try isThere(drop.source == nil || isUndo ? drop.zonePath : drop.rejectsPath)
      found.isBoxThere = try isThere(drop.boxPath)
      if let root = drop.destinationRoot, let name = drop.destinationName {
        let folder = DirectoryBelow(RawPath(root), drop.destinationDirectory)
        found.isDestinationThere = try isThere(root)
        found.destination = try status(of: name, in: folder)
        found.temporary = try status(of: RawPath(".dropzone-\(drop.id)"), in: folder)
      } else if isUndo {
        found.temporary = try status(of: RawPath(".dropzone-\(drop.id)"), in: directory)
      }
      return .found(found)
    } catch {
      return .failed(.init(.other, "\(error)"))
    }
  }

  /// Where it is held; of an undo, the directory of the box that it was delivered to.
  private func hold(of drop: Drop) -> DirectoryBelow {
    DirectoryBelow(drop.delivered?.parent ?? RawPath(drop.holdPath))
  }

  private func status(of name: RawPath, in directory: DirectoryBelow) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try directory.open().statusIfPresent(of: name)
    } catch  where error.errno == .noEntry || error.errno == .notDirectory {
      return nil
    }
  }

  private func exists(_ directory: DirectoryBelow) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try directory.open()
      return true
    } catch  where error.errno == .noEntry || error.errno == .notDirectory {
      return false
    }
  }

  /// Whether a zone, a box or rejects are there; below a bare mount point they are not.
  private func isThere(_ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      let status = try Directory(path).status()
      return status.isMountRoot || !context.mountPoints.contains(path)
    } catch  where error.errno == .noEntry || error.errno == .notDirectory {
      return false
    }
  }
}
