internal import CLinux
package import DropEngine
internal import Glibc

/// A lock that only one process can hold: flock(2) on a file or directory, which ends with the process.
package struct ExclusiveLock: ~Copyable, Sendable {
  private let file: OpenFile

  package enum Failure: Error, Hashable, Sendable {
    /// Another process holds it; the process ID if it is known.
    case held(by: Int32?)
    case failed(FileError)
  }

  /// Locks a directory.
  package init(directory path: RawPath) throws(Failure) {
    file = try Self.locked { () throws(FileError) in
      try Directory.working.open(path, [.readOnly, .directory])
    }
  }

  /// Locks a file in a directory that everyone can write to, and writes our process ID into the file.
  ///
  /// An existing file is opened without O_CREAT, because the kernel forbids this in a sticky directory.
  package init(file name: RawPath, in directory: RawPath) throws(Failure) {
    file = try Self.locked { () throws(FileError) in try Self.open(name, in: Directory(directory)) }
    let number = file.number
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(number, 0)
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(number, $0.baseAddress, $0.count, 0) }
  }

  private static func open(_ name: RawPath, in directory: Directory) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try directory.open(name, [.readWrite, .noFollow])
    } catch  where error.errno == .access {
      // Another user's daemon created it: we may lock it, but not write to it.
      return try directory.open(name, [.readOnly, .noFollow])
    } catch  where error.errno == .noEntry {
      return try directory.open(name, [.readWrite, .create, .noFollow], mode: 0o644)
    }
  }

  /// How often to try for a lock that is held, a tenth of a second apart.
  ///
  /// A child of a killed daemon holds the lock a little longer, until it executes its program.
  private static let tries = 10

  private static func locked(_ open: () throws(FileError) -> OpenFile) throws(Failure) -> OpenFile {
    let file: OpenFile
    do throws(FileError) { file = try open() } catch { throw .failed(error) }
    var left = tries
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      switch Errno.last {
      case .interrupted: continue
      case .again:
        left -= 1
        if left == 0 { throw .held(by: holder(file)) }
        usleep(100_000)
      case let error: throw .failed(FileError(error, .lock, file.path))
      }
    }
    return file
  }

  private static func holder(_ file: OpenFile) -> Int32? {
    guard let bytes = try? file.read(at: 0, count: 16) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

/// The directory for the locks of zones: one for all daemons of the machine, or else one of the user's own.
package enum LockDirectory {
  package static func prepare() throws(FileError) -> RawPath {
    let shared: RawPath = "/run/lock/dropzone"
    if (try? Directory(shared)) != nil { return shared }
    if (try? Directory.working.makeDirectory(shared, mode: 0o1777)) != nil {
      // The umask cleared bits of the mode.
      _ = unsafe shared.withCString { unsafe chmod($0, 0o1777) }
      return shared
    }
    let own = RawPath(ProcessArguments.variable("XDG_RUNTIME_DIR")?.string ?? "/tmp").appending(
      RawPath("dropzone-locks-\(geteuid())"))
    try? Directory.working.makeDirectory(own, mode: 0o700)
    _ = try Directory(own, noFollow: true)
    return own
  }
}
