internal import CLinux
package import DropEngine
internal import Glibc

/// Something that one process at a time may have: flock(2) on a file or directory, gone with its holder.
package struct ExclusiveLock: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  package enum Failure: Error, Hashable, Sendable {
    /// Somebody has it; the process id where it is known.
    case held(by: Int32?)
    case failed(Errno)
  }

  /// Locks a directory.
  package init(directory path: RawPath) throws(Failure) {
    descriptor = try Self.locked(
      Self.opened { () throws(Errno) in try FileDescriptor.open(path, [.readOnly, .directory]) })
  }

  /// Locks a file in a directory where everybody may make one, and writes our process id into it.
  ///
  /// One that is there is opened without making it: in a sticky directory the kernel forbids the other way.
  package init(file name: RawPath, in directory: RawPath) throws(Failure) {
    let file = try Self.opened { () throws(Errno) in
      let folder = try FileDescriptor.open(directory, [.pathOnly, .directory])
      do throws(Errno) {
        return try FileDescriptor.open(name, in: folder.number, [.readWrite, .noFollow])
      } catch  where error == .access {
        // Made by another user's daemon: it can be locked all the same, and not written.
        return try FileDescriptor.open(name, in: folder.number, [.readOnly, .noFollow])
      } catch  where error == .noEntry {
        return try FileDescriptor.open(name, in: folder.number, [.readWrite, .create, .noFollow], mode: 0o644)
      }
    }
    descriptor = try Self.locked(file)
    let number = descriptor.number
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(number, 0)
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(number, $0.baseAddress, $0.count, 0) }
  }

  private static func opened(_ body: () throws(Errno) -> FileDescriptor) throws(Failure) -> FileDescriptor {
    do throws(Errno) { return try body() } catch { throw .failed(error) }
  }

  /// How often a lock that somebody has is asked for, a tenth of a second apart.
  ///
  /// A child of a daemon that was killed has it for a moment longer, until it becomes another program.
  private static let tries = 10

  private static func locked(_ file: consuming FileDescriptor) throws(Failure) -> FileDescriptor {
    var left = tries
    while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
      switch Errno.last {
      case .interrupted: continue
      case .again:
        left -= 1
        if left == 0 { throw .held(by: holder(file)) }
        usleep(100_000)
      case let error: throw .failed(error)
      }
    }
    return file
  }

  private static func holder(_ file: borrowing FileDescriptor) -> Int32? {
    guard let bytes = try? file.read(at: 0, count: 16) else { return nil }
    return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}

/// Where locks of zones are: one place for all daemons of the machine, else one of the user's own.
package enum LockPlace {
  package static func prepare() throws(Errno) -> RawPath {
    let shared: RawPath = "/run/lock/dropzone"
    if (try? FileDescriptor.open(shared, [.pathOnly, .directory])) != nil { return shared }
    let made = unsafe shared.withCString { unsafe mkdir($0, 0o1777) }
    if made == 0 {
      // The mask of the process took bits away.
      _ = unsafe shared.withCString { unsafe chmod($0, 0o1777) }
      return shared
    }
    let own = RawPath(ProcessArguments.variable("XDG_RUNTIME_DIR")?.string ?? "/tmp").appending(
      RawPath("dropzone-locks-\(geteuid())"))
    _ = unsafe own.withCString { unsafe mkdir($0, 0o700) }
    _ = try FileDescriptor.open(own, [.pathOnly, .directory, .noFollow])
    return own
  }
}
