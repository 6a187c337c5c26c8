internal import CLinux
internal import DropEngine
internal import Glibc

/// The system calls behind the operations of a `Directory`, by the numbers of open directories.
extension Directory {
  /// Makes a directory: mkdir(2).
  static func make(_ name: RawPath, in directory: Int32, mode: UInt32) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe mkdirat(directory, name, mode) }
    }
  }

  /// Removes a name that is no directory: unlink(2).
  static func unlink(_ name: RawPath, in directory: Int32) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe unlinkat(directory, name, 0) }
    }
  }

  /// Removes an empty directory: rmdir(2).
  static func removeEmpty(_ name: RawPath, in directory: Int32) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe unlinkat(directory, name, AT_REMOVEDIR) }
    }
  }

  /// Renames, replacing what has the new name only when told to: renameat2(2).
  static func rename(
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
  static func link(
    _ name: RawPath, in directory: Int32, to newName: RawPath, in newDirectory: Int32
  ) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      try unsafe newName.withCString { (newName) throws(Errno) in
        try check { unsafe linkat(directory, name, newDirectory, newName, 0) }
      }
    }
  }

  /// Gives an open, unnamed file its first name, through proc(5).
  static func link(descriptor: Int32, to newName: RawPath, in newDirectory: Int32) throws(Errno) {
    try unsafe RawPath("/proc/self/fd/\(descriptor)").withCString { (name) throws(Errno) in
      try unsafe newName.withCString { (newName) throws(Errno) in
        try check { unsafe linkat(FileDescriptor.workingDirectory, name, newDirectory, newName, AT_SYMLINK_FOLLOW) }
      }
    }
  }

  /// Whether this process may make and remove names in the directory: faccessat(2).
  static func isWritable(_ directory: Int32) -> Bool {
    unsafe RawPath("/proc/self/fd/\(directory)").withCString { path in
      unsafe faccessat(FileDescriptor.workingDirectory, path, W_OK | X_OK, AT_EACCESS) == 0
    }
  }

  /// Waits until the directory's names are on the disk. An O_PATH descriptor cannot be synced, so it is opened again; one
  /// that may be written to and not listed is synced with all of its file system.
  static func sync(_ directory: Int32) throws(Errno) {
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
  static func syncWherePossible(_ directory: Int32) throws(Errno) {
    do throws(Errno) {
      try sync(directory)
    } catch {
      if error.leavesUnwritten, error != .noEntry { throw error }
    }
  }
}
