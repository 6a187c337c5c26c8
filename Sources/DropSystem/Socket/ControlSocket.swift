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
    // Locked until the end: two daemons that start together look and bind one after the other.
    let directory = try Self.attempt(path) { () throws(Errno) in try Self.lockedDirectory(of: path) }
    let number = directory.number
    try Self.clear(name, in: number, path)
    let socket = try Self.attempt(path) { () throws(Errno) in try Self.listen(to: name, in: number, group: group) }
    let file = try Self.attempt(path) { () throws(Errno) in try SocketFile(name, in: number) }
    self.socket = socket
    self.file = consume file
  }

  /// Takes over a socket that the service manager listens on; its file is the manager's.
  package init(inherited descriptor: consuming FileDescriptor) throws(Errno) {
    socket = try UnixSocket(adopting: descriptor)
    file = nil
  }

  /// Says of an error which path it was about.
  private static func attempt<Result: ~Copyable>(
    _ path: RawPath, _ body: () throws(Errno) -> Result
  ) throws(ControlSocketError) -> Result {
    do throws(Errno) { return try body() } catch { throw .failed(path, error) }
  }

  private static func listen(
    to name: RawPath, in directory: Int32, group: String
  ) throws(Errno) -> UnixSocket {
    let socket = try UnixSocket()
    try socket.bind(to: name, in: directory)
    try open(name, in: directory, toGroup: group)
    try socket.listen(backlog: 64)
    return socket
  }

  private static func lockedDirectory(of path: RawPath) throws(Errno) -> FileDescriptor {
    let directory = try directory(of: path)
    let number = directory.number
    try check { flock(number, LOCK_EX) }
    return directory
  }

  private static func directory(of path: RawPath) throws(Errno) -> FileDescriptor {
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
  private static func clear(
    _ name: RawPath, in directory: Int32, _ path: RawPath
  ) throws(ControlSocketError) {
    switch try owner(of: name, in: directory, path) {
    case .nobody: return
    case .living(let process): throw .inUse(process: process)
    case .dead:
      do throws(Errno) {
        try unsafe name.withCString { (name) throws(Errno) in
          try check { unsafe unlinkat(directory, name, 0) }
        }
      } catch {
        throw .failed(path, error)
      }
    }
  }

  private enum Owner { case nobody, dead, living(Int32?) }

  private static func owner(
    of name: RawPath, in directory: Int32, _ path: RawPath
  ) throws(ControlSocketError) -> Owner {
    do throws(Errno) {
      let caller = try UnixSocket()
      try caller.connect(to: name, in: directory)
      return .living(try? caller.peer().process)
    } catch .noEntry {
      return .nobody
    } catch .again {
      return .living(nil)
    } catch {
      guard error == Errno(ECONNREFUSED) else { throw .failed(path, error) }
      // A dead socket, or no socket at all: connect says the same of both.
      guard isSocket(name, in: directory) else { throw .notASocket(path) }
      return .dead
    }
  }

  private static func open(
    _ name: RawPath, in directory: Int32, toGroup group: String
  ) throws(Errno) {
    try unsafe name.withCString { (name) throws(Errno) in
      if let group = UserDatabase.group(named: group) {
        _ = unsafe fchownat(directory, name, uid_t.max, group, AT_SYMLINK_NOFOLLOW)
      }
      // The name is ours: the directory is locked, and was free of it when we bound.
      try check { unsafe fchmodat(directory, name, 0o660, 0) }
    }
  }

  private static func isSocket(_ name: RawPath, in directory: Int32) -> Bool {
    guard let found = try? status(of: name, in: directory) else { return false }
    return found.st_mode & S_IFMT == S_IFSOCK
  }

  fileprivate static func status(
    of name: RawPath, in directory: Int32
  ) throws(Errno) -> stat {
    var result = stat()
    try unsafe name.withCString { (name) throws(Errno) in
      try check { unsafe fstatat(directory, name, &result, AT_SYMLINK_NOFOLLOW) }
    }
    return result
  }
}

/// Why there is no socket to answer on.
package enum ControlSocketError: Error, Hashable, Sendable {
  /// A living daemon answers there.
  case inUse(process: Int32?)
  /// Something else has the name.
  case notASocket(RawPath)
  case failed(RawPath, Errno)
}

/// The file of a socket, removed at the end if it is still the same.
///
/// Not private only because the compiler (6.3) wants to see it where a socket is let go.
package struct SocketFile: ~Copyable, Sendable {
  private let name: RawPath
  private let directory: FileDescriptor
  private let inode: UInt64

  /// Takes note of what is called `name` now.
  init(_ name: RawPath, in directory: Int32) throws(Errno) {
    let inode = UInt64(try ControlSocket.status(of: name, in: directory).st_ino)
    let own = try FileDescriptor.open(".", in: directory, [.readOnly, .directory])
    self.name = name
    self.inode = inode
    self.directory = own
  }

  deinit {
    let number = directory.number
    guard let found = try? ControlSocket.status(of: name, in: number), UInt64(found.st_ino) == inode else { return }
    unsafe name.withCString { _ = unsafe unlinkat(number, $0, 0) }
  }
}
