internal import CLinux
package import DropEngine
internal import Glibc

extension Directory {
  /// Gives a directory that was just made the group and mode of another; the mode also where it cannot have the group.
  package static func adopt(
    group: UInt32, mode: UInt32, of name: RawPath, in directory: Int32 = FileDescriptor.workingDirectory
  ) throws(Errno) {
    let made = try FileDescriptor.open(name, in: directory, [.readOnly, .directory, .noFollow])
    let status = try FileStatus.read(at: made.number)
    let owned = Result { () throws(Errno) in
      // −1 leaves the owner.
      if status.group != group { try check { fchown(made.number, .max, group) } }
    }
    try check { fchmod(made.number, mode & 0o7777) }
    try owned.get()
  }
}
