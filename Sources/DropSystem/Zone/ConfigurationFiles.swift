internal import CLinux
package import DropEngine
internal import Glibc

/// The directories and files that a configuration is read from.
package enum ConfigurationFiles {
  /// The names in a directory, sorted by their bytes; nothing of what lies below.
  package static func names(in directory: RawPath) throws(Errno) -> [RawPath] {
    guard let stream = unsafe directory.withCString({ path in unsafe opendir(path) }) else { throw Errno.last }
    defer { unsafe closedir(stream) }
    var names: [RawPath] = []
    while true {
      Glibc.errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard Errno.last == Errno(0) else { throw Errno.last }
        return names.sorted()
      }
      // readdir(3): d_name is longer than its declared type wherever the file system allows longer names.
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let bytes = unsafe UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: UInt8.self)
      let name = unsafe [UInt8](
        UnsafeBufferPointer(start: bytes, count: strlen(UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self))))
      if name != [.dot], name != [.dot, .dot] { names.append(RawPath(bytes: name)) }
    }
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
