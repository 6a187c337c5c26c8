package import DropEngine

extension Directory {
  /// Removes a name that is not a directory's.
  package func unlink(_ name: RawPath) throws(FileError) {
    try naming(.unlink, path.appending(name)) { () throws(Errno) in try Self.unlink(name, in: number) }
  }

  /// Renames, replacing what has the new name only when told to.
  ///
  /// Fails with `invalid` where the file system cannot rename without replacing.
  package func rename(
    _ name: RawPath, to newName: RawPath, in target: Directory, replacing: Bool = false
  ) throws(FileError) {
    try renaming(.rename, name, newName, target) { () throws(Errno) in
      try Self.rename(name, in: number, to: newName, in: target.number, replacing: replacing)
    }
  }

  /// Renames and replaces nothing, also where the file system has no such rename: it links and unlinks there.
  ///
  /// An error that `isAboutName` is about nothing else. Fails with `notSupported` where neither way is possible; a link
  /// to somebody else's file may be refused where one to our own is not.
  package func renameReplacingNothing(
    _ name: RawPath, to newName: RawPath, in target: Directory
  ) throws(FileError) {
    try renaming(.rename, name, newName, target) { () throws(Errno) in
      try Self.renameReplacingNothing(name, in: number, to: newName, in: target.number)
    }
  }

  /// Renames to a name that nobody else makes, in a directory of our own: where the file system cannot rename without
  /// replacing, any rename is as good.
  package func renameToOwn(_ name: RawPath, to newName: RawPath, in target: Directory) throws(FileError) {
    try renaming(.rename, name, newName, target) { () throws(Errno) in
      try Self.renameToOwn(name, in: number, to: newName, in: target.number)
    }
  }

  /// Gives a file a second name.
  package func link(_ name: RawPath, to newName: RawPath, in target: Directory) throws(FileError) {
    try renaming(.link, name, newName, target) { () throws(Errno) in
      try Self.link(name, in: number, to: newName, in: target.number)
    }
  }

  /// Gives an open file without a name its first one, in this directory.
  package func link(_ file: OpenFile, as name: RawPath) throws(FileError) {
    try naming(.link, path.appending(name)) { () throws(Errno) in
      try Self.link(descriptor: file.number, to: name, in: number)
    }
  }

  /// Finds out whether a file can be renamed from this directory to another, by doing it.
  ///
  /// Equal device numbers prove nothing: bind mounts, subvolumes and project quotas have them too. A file without a name
  /// is used where there are such, so that nobody sees it.
  package func proveRename(to target: Directory) throws(FileError) {
    try naming(.rename, path, to: target.path) { () throws(Errno) in
      try Self.proveRename(from: number, to: target.number)
    }
  }

  private func renaming(
    _ call: FileError.Call, _ name: RawPath, _ newName: RawPath, _ target: Directory, _ body: () throws(Errno) -> Void
  ) throws(FileError) {
    try naming(call, path.appending(name), to: target.path.appending(newName), body)
  }
}

extension Directory {
  /// Waits until the directory's names are on the disk.
  ///
  /// An O_PATH descriptor cannot be synced, so the directory is opened again. One that may be written to and not listed
  /// is synced with all of its file system.
  package func sync() throws(FileError) {
    try naming(.sync, path) { () throws(Errno) in try Self.sync(number) }
  }

  /// The same; a directory that cannot be synced at all counts as synced, and so does one that has been removed.
  package func syncWherePossible() throws(FileError) {
    try naming(.sync, path) { () throws(Errno) in try Self.syncWherePossible(number) }
  }
}
