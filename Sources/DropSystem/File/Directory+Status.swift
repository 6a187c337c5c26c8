package import DropEngine

extension Directory {
  /// What the directory itself is like.
  package func status() throws(FileError) -> FileStatus {
    try naming(.stat, path) { () throws(Errno) in try FileStatus.read(at: number) }
  }

  /// Inspects a name without following a link.
  ///
  /// - Parameter fresh: Asks a network file system's server instead of a cache.
  package func status(of name: RawPath, fresh: Bool = false) throws(FileError) -> FileStatus {
    try naming(.stat, path.appending(name)) { () throws(Errno) in
      try FileStatus.read(at: name, in: number, fresh: fresh)
    }
  }

  /// The same; nil where nothing has the name.
  package func statusIfPresent(of name: RawPath) throws(FileError) -> FileStatus? {
    try naming(.stat, path.appending(name)) { () throws(Errno) in
      do throws(Errno) {
        return try FileStatus.read(at: name, in: number)
      } catch  where error.isAbsence {
        return nil
      }
    }
  }

  /// Inspects a file below this directory, without following links and without leaving it.
  package func status(at location: RawPath) throws(FileError) -> FileStatus {
    try naming(.stat, path.appending(location)) { () throws(Errno) in
      let opened = try FileDescriptor.open(beneath: number, location, [.pathOnly, .noFollow])
      return try FileStatus.read(at: opened.number)
    }
  }

  /// Whether something has the name; false also where that cannot be seen.
  package func has(_ name: RawPath) -> Bool {
    (try? FileStatus.read(at: name, in: number)) != nil
  }

  /// Whether this process may create and remove names here.
  package var isWritable: Bool { Self.isWritable(number) }

  /// Throws where this process may not create and remove names here.
  package func checkWritable() throws(FileError) {
    if !isWritable { throw FileError(.last, .access, path) }
  }

  /// Bytes and inodes that this process may still use on the file system.
  package var freeRoom: FreeRoom? { DropSystem.freeRoom(at: number) }

  /// The longest name that the file system takes, in bytes; 255 where it does not say.
  package var nameLimit: Int { longestName(at: number) }

  package var fileSystemKind: FileSystemKind { FileSystemKind(of: number) }
}
