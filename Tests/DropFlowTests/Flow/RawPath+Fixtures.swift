import DropEngine
import DropSystem
import Glibc

extension RawPath {
  /// Makes a symbolic link of this name.
  func makeLink(to target: String) throws {
    guard unsafe withCString({ unsafe symlink(target, $0) }) == 0 else { throw Errno.last }
  }

  func makePipe() throws {
    guard unsafe withCString({ unsafe mkfifo($0, 0o644) }) == 0 else { throw Errno.last }
  }

  func setMode(_ mode: UInt32) throws {
    guard unsafe withCString({ unsafe chmod($0, mode) }) == 0 else { throw Errno.last }
  }

  func setOwner(_ user: UInt32, group: UInt32 = .max) throws {
    guard unsafe withCString({ unsafe chown($0, user, group) }) == 0 else { throw Errno.last }
  }

  func setModified(seconds: Int64) throws {
    let times = [timespec(tv_sec: Int(seconds), tv_nsec: 0), timespec(tv_sec: Int(seconds), tv_nsec: 0)]
    guard unsafe withCString({ unsafe utimensat(AT_FDCWD, $0, times, 0) }) == 0 else { throw Errno.last }
  }

  /// Gives the file another name beside this one.
  func makeHardLink(_ path: RawPath) throws {
    try Directory.working.link(self, to: path, in: .working)
  }

  func removeFile() throws { try Directory.working.unlink(self) }

  func removeDirectory() throws { try Directory.working.removeDirectory(named: self) }
}
