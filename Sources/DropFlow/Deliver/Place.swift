import DropEngine
import DropSystem

/// A place that cannot be had now.
package struct PlaceError: Error, Sendable {
  package let message: String
}

/// A box or rejects directory.
package enum Place {
  /// Opens a place for looking things up in it, and makes sure that names can be made there.
  /// One that was a mount point must be one still: what is put below it otherwise is hidden by the next mount.
  package static func open(_ path: String, wasMountPoint: Bool = false) throws(PlaceError) -> OpenFile {
    let isLost: Bool
    let directory: OpenFile
    do throws(Errno) {
      directory = OpenFile(try Directory.open(path))
      let sight = try Sight.look(at: directory.number)
      isLost = wasMountPoint && !sight.isMountRoot
      guard Directory.isWritable(directory.number) else { throw Errno.last }
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))': \(error)")
    }
    if isLost { throw PlaceError(message: "'\(Escaping.escape(path))' was a mount point and is none now") }
    return directory
  }

  /// Makes a place that is missing, where its parent allows. Rejects are made like the box they belong to.
  package static func make(_ path: String, like model: String? = nil) throws(PlaceError) {
    do throws(Errno) {
      let sight = try model.map { (path) throws(Errno) in
        let directory = try Directory.open(path)
        return try Sight.look(at: directory.number)
      }
      try Directory.make(
        RawPath(path), in: FileDescriptor.workingDirectory, mode: sight.map { $0.mode & 0o777 } ?? 0o755)
      if let sight { try? Directory.adopt(group: sight.group, mode: sight.mode, of: RawPath(path)) }
    } catch  where error == .exists {
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))' is not there and cannot be made: \(error)")
    }
  }
}
