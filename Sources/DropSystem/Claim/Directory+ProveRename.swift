internal import CLinux
internal import DropEngine
internal import Glibc

extension Directory {
  /// How the names begin that a proof may leave behind when the process dies in the middle.
  package static let probePrefix = ".dropzone-probe-"

  /// Finds out whether a file can be renamed from one directory to another, by doing it.
  ///
  /// Equal device numbers prove nothing: bind mounts, subvolumes and project quotas have them too. An unnamed file is
  /// used where there are such, so that nobody sees it.
  package static func proveRename(from source: Int32, to target: Int32) throws(Errno) {
    let name = RawPath("\(probePrefix)\(getpid())-\(UInt32.random(in: .min ... .max))")
    do throws(Errno) {
      let file = try FileDescriptor.open(".", in: source, [.unnamed, .writeOnly])
      try link(descriptor: file.number, to: name, in: target)
      try unlink(name, in: target)
    } catch  where error == .notSupported || error == .isDirectory || error == .noEntry || error == .invalid {
      _ = try FileDescriptor.open(name, in: source, [.create, .exclusive, .writeOnly])
      do throws(Errno) {
        try renameToOwn(name, in: source, to: name, in: target)
      } catch {
        try? unlink(name, in: source)
        throw error
      }
      try unlink(name, in: target)
    }
  }
}

/// The user this process acts as.
package func effectiveUser() -> UInt32 { geteuid() }

/// Bytes and inodes that are free for this process where an open file or directory lies: fstatvfs(3).
package func freeRoom(at descriptor: Int32) -> FreeRoom? {
  var status = statvfs()
  guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
  let bytes = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
  // Some file systems have no fixed number of inodes and say 0 of 0.
  let inodes = status.f_files == 0 ? Int64.max : Int64(clamping: status.f_favail)
  return (bytes.overflow ? .max : bytes.partialValue, inodes)
}

package typealias FreeRoom = (bytes: Int64, inodes: Int64)

/// The longest name a file system takes, in bytes; 255 where it does not say.
package func longestName(at descriptor: Int32) -> Int {
  var status = statvfs()
  guard unsafe fstatvfs(descriptor, &status) == 0, status.f_namemax > 0 else { return 255 }
  return min(255, Int(clamping: status.f_namemax))
}
