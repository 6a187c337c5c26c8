internal import CLinux
package import DropEngine
internal import Glibc

extension Directory {
  /// Renames a file and replaces nothing, also where the file system knows no such rename: renameat2(2), else link(2)
  /// and unlink(2).
  ///
  /// Where a throw is about the name, `isAboutName`, it is about nothing else. Throws EOPNOTSUPP where neither way can be
  /// gone; a link to somebody else's file may be refused where one to a file of our own is not.
  package static func renameReplacingNothing(
    _ name: RawPath, in directory: Int32, to newName: RawPath, in newDirectory: Int32
  ) throws(Errno) {
    do throws(Errno) {
      try rename(name, in: directory, to: newName, in: newDirectory)
    } catch  where error.mayKnowNoFlags {
      try linkAndUnlink(name, in: directory, to: newName, in: newDirectory, orElse: error)
    }
  }

  /// Renames a file to a name that nobody else makes, in a directory of our own: where the file system knows no rename
  /// without replacing, any other is as good.
  package static func renameToOwn(
    _ name: RawPath, in directory: Int32, to newName: RawPath, in newDirectory: Int32
  ) throws(Errno) {
    do throws(Errno) {
      try rename(name, in: directory, to: newName, in: newDirectory)
    } catch  where error.mayKnowNoFlags {
      try rename(name, in: directory, to: newName, in: newDirectory, replacing: true)
    }
  }

  private static func linkAndUnlink(
    _ name: RawPath, in directory: Int32, to newName: RawPath, in newDirectory: Int32, orElse refusal: Errno
  ) throws(Errno) {
    do throws(Errno) {
      try link(name, in: directory, to: newName, in: newDirectory)
    } catch  where error.mayKnowNoFlags || error.knowsNoLinks {
      throw try knowsNoReplace(newDirectory) ? refusal : .notSupported
    }
    do throws(Errno) {
      try unlink(name, in: directory)
    } catch {
      // Under both names it would be two files to whoever looks next.
      try? unlink(newName, in: newDirectory)
      throw error
    }
  }

  /// Whether the file system renames without replacing: tried with a file and names of our own.
  private static func knowsNoReplace(_ directory: Int32) throws(Errno) -> Bool {
    let name = "\(probePrefix)\(getpid())-\(UInt32.random(in: .min ... .max))"
    let (from, to) = (RawPath(name), RawPath(name + "-"))
    _ = try FileDescriptor.open(from, in: directory, [.create, .exclusive, .writeOnly])
    do throws(Errno) {
      try rename(from, in: directory, to: to, in: directory)
    } catch {
      try? unlink(from, in: directory)
      if error.mayKnowNoFlags { return false }
      throw error
    }
    try? unlink(to, in: directory)
    return true
  }
}

extension Errno {
  /// What renameat2(2) says where the file system knows none of its flags.
  fileprivate var mayKnowNoFlags: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(number) }
  /// What link(2) says where there are no links, or not to this file.
  fileprivate var knowsNoLinks: Bool { [EPERM, EACCES, EMLINK].contains(number) }
}
