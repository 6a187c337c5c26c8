internal import CLinux
package import DropEngine
internal import Glibc

/// A file that somebody wants to give away: its bytes, and what goes with them.
package final class SourceFile {
  let descriptor: FileDescriptor
  package let size: Int64
  let mode: UInt32
  let modified: timespec

  /// Opens the file at `path`, links followed; `invalid` when it is no regular file. Waits for no pipe or device.
  package init(_ path: RawPath) throws(Errno) {
    let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw status.st_mode & S_IFMT == S_IFDIR ? .isDirectory : .invalid }
    size = Int64(status.st_size)
    // Who runs a set-id program chose it; who gives one away should not.
    mode = status.st_mode & 0o777
    modified = status.st_mtim
    descriptor = file
  }

  /// What a typer wants to know of it.
  package func withDescriptor<Result>(
    _ body: (borrowing FileDescriptor) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    try body(descriptor)
  }
}

extension FileDescriptor {
  fileprivate borrowing func status() throws(Errno) -> stat {
    let number = self.number
    var status = stat()
    try check { unsafe fstat(number, &status) }
    return status
  }
}
