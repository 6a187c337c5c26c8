internal import CLinux
package import DropEngine
internal import Glibc

/// The directories and files that a configuration is read from.
package enum ConfigurationFiles {
  /// The names in a directory, sorted by their bytes; nothing of what lies below.
  package static func names(in directory: RawPath) throws(Errno) -> [RawPath] {
    let directory = try FileDescriptor.open(directory, [.pathOnly, .directory])
    var reader = try DirectoryReader(directory.number)
    var names: [RawPath] = []
    while let name = try reader.next() { names.append(name) }
    return names.sorted()
  }

  /// A file's bytes, one more than `limit` at most; a FIFO or a device is refused and never waited for.
  package static func contents(of file: RawPath, limit: Int) throws(Errno) -> [UInt8] {
    let descriptor = try FileDescriptor.open(file, [.readOnly, .nonBlocking])
    var status = stat()
    try check { unsafe fstat(descriptor.number, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw status.st_mode & S_IFMT == S_IFDIR ? .isDirectory : .invalid
    }
    return try descriptor.read(at: 0, count: limit + 1)
  }
}
