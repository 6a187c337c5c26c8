import DropEngine
package import DropSystem

/// A box or rejects directory that is unavailable now.
package struct PlaceError: Error, Sendable {
  package let message: String
}

/// A box or rejects directory.
package enum Place {
  /// Opens a place, and makes sure that names can be made there.
  ///
  /// One that was a mount point must still be one: the next mount would hide what is put below it otherwise.
  package static func open(_ path: String, wasMountPoint: Bool = false) throws(PlaceError) -> Directory {
    let directory: Directory
    let status: FileStatus
    do throws(FileError) {
      directory = try Directory(path)
      status = try directory.status()
      try directory.checkWritable()
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))': \(error.errno)")
    }
    if wasMountPoint, !status.isMountRoot {
      throw PlaceError(message: "'\(Escaping.escape(path))' was a mount point and is none now")
    }
    return directory
  }

  /// Makes a place that is missing, if its parent allows. Rejects are made like the box they belong to.
  package static func make(_ path: String, like model: String? = nil) throws(PlaceError) {
    do throws(FileError) {
      let status = try model.map { (path) throws(FileError) in try Directory(path).status() }
      try Directory.working.makeDirectory(RawPath(path), mode: status.map { $0.mode & 0o777 } ?? 0o755)
      if let status { try? Directory.working.adopt(group: status.group, mode: status.mode, of: RawPath(path)) }
    } catch  where error.errno == .exists {
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))' is not there and cannot be made: \(error.errno)")
    }
  }
}
