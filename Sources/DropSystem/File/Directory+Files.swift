package import DropEngine

extension Directory {
  /// Opens or creates a file in this directory.
  package func open(_ name: RawPath, _ flags: OpenFlags, mode: UInt32 = 0o600) throws(FileError) -> OpenFile {
    let opened = try naming(flags.contains(.create) ? .create : .open, path.appending(name)) { () throws(Errno) in
      try FileDescriptor.open(name, in: number, flags, mode: mode)
    }
    return OpenFile(opened, name: name, in: path)
  }

  /// Creates a file without a name, where the file system has such files.
  package func openUnnamed(_ access: OpenFlags, mode: UInt32 = 0o600) throws(FileError) -> OpenFile {
    let opened = try naming(.createUnnamed, path) { () throws(Errno) in
      try FileDescriptor.open(".", in: number, [.unnamed, access], mode: mode)
    }
    return OpenFile(opened, name: "", in: path)
  }

  /// Opens a regular file for reading; nil where the name is that of anything else.
  ///
  /// The open goes through the descriptor that was inspected: nobody can put a pipe or a link in its place in between.
  ///
  /// - Parameter budget: Counts the file in it while there is room; `isCounted` says whether it was.
  package func openRegular(
    named name: RawPath, budget: OpenFileBudget? = nil
  ) throws(FileError) -> (file: OpenFile, status: FileStatus)? {
    try naming(.open, path.appending(name)) { () throws(Errno) in
      let found = try FileDescriptor.open(name, in: number, [.pathOnly, .noFollow])
      return try regularFile(found, name, budget)
    }
  }

  /// The same below this directory, without following links and without leaving it.
  package func openRegular(at location: RawPath) throws(FileError) -> (file: OpenFile, status: FileStatus)? {
    try naming(.open, path.appending(location)) { () throws(Errno) in
      let found = try FileDescriptor.open(beneath: number, location, [.pathOnly, .noFollow])
      return try regularFile(found, location, nil)
    }
  }

  private func regularFile(
    _ found: borrowing FileDescriptor, _ name: RawPath, _ budget: OpenFileBudget?
  ) throws(Errno) -> (file: OpenFile, status: FileStatus)? {
    let status = try FileStatus.read(at: found.number)
    guard status.kind == .regular else { return nil }
    let opened = try found.reopened([.readOnly, .nonBlocking])
    return (OpenFile(opened, name: name, in: path, budget: budget), status)
  }
}
