internal import CLinux
package import DropEngine
internal import Glibc

/// Something that one process at a time may have: flock(2) on a file or directory, gone with its holder.
package struct ExclusiveLock: ~Copyable, Sendable {
  private let file: OpenFile

  package enum Failure: Error, Hashable, Sendable {
    /// Somebody has it; the process id where it is known.
    case held(by: Int32?)
    case failed(FileError)
  }

  /// Locks a directory.
  package init(directory path: RawPath) throws(Failure) {
    file = try Self.locked { () throws(FileError) in
      try Directory.working.open(path, [.readOnly, .directory])
    }
  }

  /// Locks a file in a directory where everybody may make one, and writes our process id into it.
  ///
  /// One that is there is opened without making it: in a sticky directory the kernel forbids the other way.
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
      // Another user's daemon made it: we may lock it, but not write to it.
      return try directory.open(name, [.readOnly, .noFollow])
    } catch  where error.errno == .noEntry {
      return try directory.open(name, [.readWrite, .create, .noFollow], mode: 0o644)
    }
  }

  /// How often a lock that somebody has is asked for, a tenth of a second apart.
  ///
  /// A child of a daemon that was killed has it for a moment longer, until it becomes another program.
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

/// Where locks of zones are: one place for all daemons of the machine, else one of the user's own.
package enum LockPlace {
  package static func prepare() throws(FileError) -> RawPath {
    let shared: RawPath = "/run/lock/dropzone"
    if (try? Directory(shared)) != nil { return shared }
    if (try? Directory.working.makeDirectory(shared, mode: 0o1777)) != nil {
      // The mask of the process took bits away.
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
