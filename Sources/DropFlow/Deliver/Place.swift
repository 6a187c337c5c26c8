import DropEngine
package import DropSystem

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
      let status = try FileStatus.read(at: directory.number)
      isLost = wasMountPoint && !status.isMountRoot
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
      let status = try model.map { (path) throws(Errno) in
        let directory = try Directory.open(path)
        return try FileStatus.read(at: directory.number)
      }
      try Directory.make(
        RawPath(path), in: FileDescriptor.workingDirectory, mode: status.map { $0.mode & 0o777 } ?? 0o755)
      if let status { try? Directory.adopt(group: status.group, mode: status.mode, of: RawPath(path)) }
    } catch  where error == .exists {
    } catch {
      throw PlaceError(message: "'\(Escaping.escape(path))' is not there and cannot be made: \(error)")
    }
  }
}
