package import DropEngine
internal import Glibc

/// An open directory, closed when the last owner lets go of it.
///
/// Its names are looked up, made and renamed without the path to it, which may lead elsewhere by then. The path it was
/// reached by is kept for messages. Every error is a `FileError`.
package final class Directory: Sendable {
  package let descriptor: FileDescriptor
  /// The path that it was reached by.
  package let path: RawPath
  /// Whether the descriptor itself can be listed; O_PATH descriptors cannot.
  let isListable: Bool

  /// Takes over a descriptor of a directory.
  package init(_ descriptor: consuming FileDescriptor, path: RawPath, isListable: Bool = false) {
    self.descriptor = descriptor
    self.path = path
    self.isListable = isListable
  }

  /// Opens a directory by its path. Links are followed, because an operator wrote the path; `noFollow` refuses one as
  /// the last component.
  package convenience init(_ path: RawPath, noFollow: Bool = false) throws(FileError) {
    let flags: OpenFlags = noFollow ? [.pathOnly, .directory, .noFollow] : [.pathOnly, .directory]
    self.init(
      try naming(.open, path) { () throws(Errno) in try FileDescriptor.open(path, flags) }, path: path)
  }

  package convenience init(_ path: String, noFollow: Bool = false) throws(FileError) {
    try self.init(RawPath(path), noFollow: noFollow)
  }

  /// The working directory, in which whole paths are looked up.
  package static let working = Directory(FileDescriptor(adopting: FileDescriptor.workingDirectory), path: "")

  package var number: Int32 { descriptor.number }
}

extension Directory {
  /// Opens a directory below this one, without following links and without leaving this one.
  ///
  /// An empty location is this directory.
  package func directory(at location: RawPath) throws(FileError) -> Directory {
    if location.isEmpty { return self }
    let opened = try naming(.open, path.appending(location)) { () throws(Errno) in
      try FileDescriptor.open(beneath: number, location, [.pathOnly, .directory])
    }
    return Directory(opened, path: path.appending(location))
  }

  /// Opens a directory in this one, without following a link.
  ///
  /// - Parameter forListing: Opens it for reading, so that a listing does not have to open it once more.
  package func directory(named name: RawPath, forListing: Bool = false) throws(FileError) -> Directory {
    let flags: OpenFlags = forListing ? [.readOnly, .directory, .noFollow] : [.pathOnly, .directory, .noFollow]
    let opened = try naming(.open, path.appending(name)) { () throws(Errno) in
      try FileDescriptor.open(name, in: number, flags)
    }
    return Directory(opened, path: path.appending(name), isListable: forListing)
  }

  /// Makes a directory in this one; the process's mask applies to the mode.
  package func makeDirectory(_ name: RawPath, mode: UInt32) throws(FileError) {
    try naming(.makeDirectory, path.appending(name)) { () throws(Errno) in
      try Self.make(name, in: number, mode: mode)
    }
  }

  /// Removes an empty directory.
  package func removeDirectory(named name: RawPath) throws(FileError) {
    try naming(.removeDirectory, path.appending(name)) { () throws(Errno) in
      try Self.removeEmpty(name, in: number)
    }
  }

  /// Gives a directory that was just made the group and mode of another; the mode also where it cannot have the group.
  package func adopt(group: UInt32, mode: UInt32, of name: RawPath) throws(FileError) {
    let made = try directory(named: name, forListing: true)
    let status = try made.status()
    let owned = Result { () throws(FileError) in
      // −1 leaves the owner.
      if status.group != group {
        try naming(.setGroup, made.path) { () throws(Errno) in try check { fchown(made.number, .max, group) } }
      }
    }
    try naming(.setMode, made.path) { () throws(Errno) in try check { fchmod(made.number, mode & 0o7777) } }
    try owned.get()
  }
}
