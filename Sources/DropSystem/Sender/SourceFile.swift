internal import CLinux
package import DropEngine
internal import Glibc

/// A file that its owner sends into a zone: its bytes, mode and time.
package final class SourceFile {
  package let file: OpenFile
  package let size: Int64
  let mode: UInt32
  let modified: timespec

  /// Opens the file at `path`, following links. Fails with `isDirectory` or `invalid` when it is not a regular file; a
  /// pipe or device is not waited for.
  package init(_ path: RawPath) throws(FileError) {
    let (file, status) = try OpenFile.regular(at: path)
    size = status.size
    // Whoever runs a set-id program chose it; a copy for somebody else must not have those bits.
    mode = status.mode & 0o777
    // Not the status's nanoseconds: they end in the year 2262.
    modified = try naming(.stat, path) { () throws(Errno) in try FileMetadata.status(file.number).st_mtim }
    self.file = file
  }
}
