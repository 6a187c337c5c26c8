internal import CLinux
package import DropEngine
internal import Glibc

/// The socket on which a daemon answers, and the file by which clients find it.
///
/// The file goes when its owner lets go, unless somebody else has put another in its place.
package struct ControlSocket: ~Copyable, Sendable {
  package let socket: UnixSocket
  private let file: SocketFile?

  /// Listens at `path`, whose directory is made if only it is missing.
  ///
  /// The file is 0660 and belongs to the group `group`, where there is one and we may say so. One
  /// that a dead daemon left is replaced; a living one is `inUse`.
  package init(at path: RawPath, group: String) throws(ControlSocketError) {
    let name = path.lastComponent
    guard !name.isEmpty else { throw .failed(path, .invalid) }
    do {
      let directory = try Self.openDirectory(of: path)
      // Two daemons that start together look and bind one after the other.
      try check { flock(directory.number, LOCK_EX) }
      try Self.clear(name, in: directory)
      let socket = try UnixSocket()
      try socket.bind(to: name, in: directory)
      try Self.open(name, in: directory, toGroup: group)
      try socket.listen(backlog: 64)
      self.file = SocketFile(name: name, in: directory, inode: try Self.inode(of: name, in: directory))
      self.socket = socket
      _ = flock(directory.number, LOCK_UN)
    } catch let error as ControlSocketError {
      throw error
    } catch let error as Errno {
      throw .failed(path, error)
    } catch {
      throw .failed(path, .io)
    }
  }

  /// Takes over a socket that the service manager listens on; its file is the manager's.
  package init(inherited descriptor: consuming FileDescriptor) throws(Errno) {
    socket = try UnixSocket(adopting: descriptor)
    file = nil
  }

  private static func openDirectory(of path: RawPath) throws(Errno) -> FileDescriptor {
    let directory = path.bytes.contains(.slash) ? path.parent : "."
    let place: RawPath = directory.isEmpty ? "/" : directory
    do {
      return try FileDescriptor.open(place, [.readOnly, .directory])
    } catch .noEntry {
      try unsafe place.withCString { (place) throws(Errno) in
        try check { unsafe mkdir(place, geteuid() == 0 ? 0o755 : 0o700) }
      }
      return try FileDescriptor.open(place, [.readOnly, .directory])
    }
  }

  /// Removes the socket of a daemon that is gone.
  private static func clear(_ name: RawPath, in directory: borrowing FileDescriptor) throws {
    let caller = try UnixSocket()
    do throws(Errno) {
      try caller.connect(to: name, in: directory)
    } catch .noEntry {
      return
    } catch .again {
      throw ControlSocketError.inUse(process: nil)
    } catch Errno(ECONNREFUSED) {
      // A dead socket, or no socket at all: the call says the same of both.
      guard try isSocket(name, in: directory) else { throw ControlSocketError.notASocket }
      try unsafe name.withCString { (name) throws(Errno) in
        try check { unsafe unlinkat(directory.number, name, 0) }
      }
      return
    }
    throw ControlSocketError.inUse(process: try? caller.peer().process)
  }

  private static func open(
    _ name: RawPath, in directory: borrowing FileDescriptor, toGroup group: String
  ) throws(Errno) {
    let number = directory.number
    try unsafe name.withCString { (name) throws(Errno) in
      if let group = UserDatabase.group(named: group) {
        _ = unsafe fchownat(number, name, uid_t.max, group, AT_SYMLINK_NOFOLLOW)
      }
      // The name is ours: the directory is locked, and was free of it when we bound.
      try check { unsafe fchmodat(number, name, 0o660, 0) }
    }
  }

  private static func isSocket(_ name: RawPath, in directory: borrowing FileDescriptor) throws(Errno) -> Bool {
    try status(of: name, in: directory).st_mode & S_IFMT == S_IFSOCK
  }

  private static func inode(of name: RawPath, in directory: borrowing FileDescriptor) throws(Errno) -> UInt64 {
    UInt64(try status(of: name, in: directory).st_ino)
  }

  fileprivate static func status(
    of name: RawPath, in directory: borrowing FileDescriptor
  ) throws(Errno) -> stat {
    let number = directory.number
    var result = stat()
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe fstatat(number, name, &result, AT_SYMLINK_NOFOLLOW) }
    }
    return result
  }
}

/// Why there is no socket to answer on.
package enum ControlSocketError: Error, Hashable, Sendable {
  /// A living daemon answers there.
  case inUse(process: Int32?)
  /// Something else has the name.
  case notASocket
  case failed(RawPath, Errno)
}

/// The file of a socket, removed at the end if it is still the same.
private struct SocketFile: ~Copyable, Sendable {
  let name: RawPath
  let directory: FileDescriptor
  let inode: UInt64

  init(name: RawPath, in directory: consuming FileDescriptor, inode: UInt64) {
    self.name = name
    self.directory = directory
    self.inode = inode
  }

  deinit {
    guard let found = try? ControlSocket.status(of: name, in: directory), UInt64(found.st_ino) == inode else { return }
    let number = directory.number
    unsafe name.withCString { _ = unsafe unlinkat(number, $0, 0) }
  }
}
