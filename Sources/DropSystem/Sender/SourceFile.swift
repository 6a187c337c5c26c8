internal import CLinux
package import DropEngine
internal import Glibc

/// A file to send into a zone: its bytes, mode and modification time.
package final class SourceFile {
  package let file: OpenFile
  package let size: Int64
  let mode: UInt32
  let modified: timespec

  /// Opens the file at `path`, following links. Fails with `isDirectory` or `invalid` if it is not a regular file,
  /// without waiting for a pipe or device.
  package init(_ path: RawPath) throws(FileError) {
    let (file, status) = try OpenFile.regular(at: path)
    size = status.size
    // The copy must not have the set-user-ID and set-group-ID bits, because it will belong to another user.
    mode = status.mode & 0o777
    // The nanoseconds of `FileStatus` end in the year 2262, so they are not used.
    modified = try naming(.stat, path) { () throws(Errno) in try FileMetadata.status(file.number).st_mtim }
    self.file = file
  }
}
