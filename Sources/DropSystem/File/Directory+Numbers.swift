internal import CLinux
package import DropEngine
internal import Glibc

/// The same calls on numbers of descriptors, until every caller has a `Directory`.
extension Directory {
  /// Opens a directory by its path, following links: an operator wrote it.
  package static func open(_ path: String) throws(Errno) -> FileDescriptor {
    try FileDescriptor.open(RawPath(path), [.pathOnly, .directory])
  }

  /// Makes a directory: mkdir(2).
  package static func make(_ name: RawPath, in directory: Int32, mode: UInt32) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe mkdirat(directory, name, mode) }
    }
  }

  /// Removes a name that is no directory: unlink(2).
  package static func unlink(_ name: RawPath, in directory: Int32) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe unlinkat(directory, name, 0) }
    }
  }

  /// Removes an empty directory: rmdir(2).
  package static func removeEmpty(_ name: RawPath, in directory: Int32) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe unlinkat(directory, name, AT_REMOVEDIR) }
    }
  }

  /// Renames, replacing what has the new name only when told to: renameat2(2).
  package static func rename(
    _ name: RawPath, in directory: Int32, to newName: RawPath, in newDirectory: Int32, replacing: Bool = false
  ) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try unsafe newName.withCString { (newName) throws(Errno) in
        try check {
          unsafe renameat2(directory, name, newDirectory, newName, replacing ? 0 : CLINUX_RENAME_NOREPLACE)
        }
      }
    }
  }

  /// Gives a file a second name: link(2).
  package static func link(
    _ name: RawPath, in directory: Int32, to newName: RawPath, in newDirectory: Int32
  ) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try unsafe newName.withCString { (newName) throws(Errno) in
        try check { unsafe linkat(directory, name, newDirectory, newName, 0) }
      }
    }
  }

  /// Gives an open, unnamed file its first name, through proc(5).
  package static func link(descriptor: Int32, to newName: RawPath, in newDirectory: Int32) throws(Errno) {
    try unsafe RawPath("/proc/self/fd/\(descriptor)").withCString { (name) throws(Errno) in
      try unsafe newName.withCString { (newName) throws(Errno) in
        try check { unsafe linkat(FileDescriptor.workingDirectory, name, newDirectory, newName, AT_SYMLINK_FOLLOW) }
      }
    }
  }

  /// Whether this process may make and remove names in the directory: faccessat(2).
  package static func isWritable(_ directory: Int32) -> Bool {
    unsafe RawPath("/proc/self/fd/\(directory)").withCString { path in
      unsafe faccessat(FileDescriptor.workingDirectory, path, W_OK | X_OK, AT_EACCESS) == 0
    }
  }

  /// Waits until the directory's names are on the disk. An O_PATH descriptor cannot be synced, so it is opened anew; one
  /// that may be written to and not listed is synced with all of its file system.
  package static func sync(_ directory: Int32) throws(Errno) {
    let opened: FileDescriptor
    do throws(Errno) {
      opened = try FileDescriptor.open(".", in: directory, [.readOnly, .directory])
    } catch  where error == .access {
      guard let file = try? FileDescriptor.open(".", in: directory, [.unnamed, .writeOnly]) else { throw error }
      return try file.syncFileSystem()
    }
    try opened.sync()
  }

  /// The same; a directory that cannot be synced at all counts as synced, and so does one that has been removed.
  package static func syncWherePossible(_ directory: Int32) throws(Errno) {
    do throws(Errno) {
      try sync(directory)
    } catch {
      if error.leavesUnwritten, error != .noEntry { throw error }
    }
  }
}

extension Directory {
  /// Whether nothing is in a directory; false where that cannot be seen.
  package static func isEmpty(_ directory: Int32) -> Bool {
    guard var reader = try? DirectoryReader(directory) else { return false }
    let first = Result { () throws(Errno) in try reader.next() }
    if case .success(nil) = first { return true }
    return false
  }

  /// Reads a directory by its path.
  package static func reader(of path: String) throws(Errno) -> DirectoryReader {
    let directory = try open(path)
    return try DirectoryReader(directory.number)
  }
}
