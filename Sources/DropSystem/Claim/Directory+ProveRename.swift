internal import CLinux
internal import DropEngine
internal import Glibc

extension Directory {
  /// The prefix of probe files, which can stay behind if the process dies during a probe.
  package static let probePrefix = ".dropzone-probe-"

  /// Tests whether a file can be renamed from one directory to another, by renaming one.
  ///
  /// Equal device numbers prove nothing, because bind mounts, subvolumes and project quotas can share them. If the file
  /// system supports unnamed files, one is used, which no other program sees.
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

/// The effective user of this process.
package func effectiveUser() -> UInt32 { geteuid() }

/// The bytes and inodes that this process can use on the file system of an open file or directory: fstatvfs(3).
package func freeRoom(at descriptor: Int32) -> FreeRoom? {
  var status = statvfs()
  guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
  let bytes = Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
  // Some file systems have no fixed number of inodes and report a total of 0.
  let inodes = status.f_files == 0 ? Int64.max : Int64(clamping: status.f_favail)
  return (bytes.overflow ? .max : bytes.partialValue, inodes)
}

package typealias FreeRoom = (bytes: Int64, inodes: Int64)

/// The length of the longest name on a file system, in bytes; 255 if it does not report one.
package func longestName(at descriptor: Int32) -> Int {
  var status = statvfs()
  guard unsafe fstatvfs(descriptor, &status) == 0, status.f_namemax > 0 else { return 255 }
  return min(255, Int(clamping: status.f_namemax))
}
