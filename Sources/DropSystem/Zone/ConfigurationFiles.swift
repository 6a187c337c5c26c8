package import DropEngine

/// The directories and files that a configuration is read from.
package enum ConfigurationFiles {
  /// The names in a directory, sorted by their bytes. Subdirectories are not listed.
  package static func names(in directory: RawPath) throws(FileError) -> [RawPath] {
    try Directory(directory).names().sorted()
  }

  /// Reads a file: at most one byte more than `limit`.
  ///
  /// Fails with `invalid` for a FIFO or a device, without waiting for it.
  package static func contents(of file: RawPath, limit: Int) throws(FileError) -> [UInt8] {
    try OpenFile.regular(at: file).file.read(at: 0, count: limit + 1)
  }
}
