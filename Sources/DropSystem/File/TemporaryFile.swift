internal import DropEngine
internal import Glibc

/// A file that nobody but this process's user can read, gone when its owner lets go.
package final class TemporaryFile: Sendable {
  package let path: String

  /// Makes one that holds `bytes`, where temporary files go.
  ///
  /// - Parameter suffix: the end of its name, without the dot.
  package init(_ bytes: [UInt8], suffix: String?) throws(Errno) {
    let directory = ProcessArguments.variable("TMPDIR")?.string ?? "/tmp"
    let path = "\(directory)/dropzone-\(newDropID())" + (suffix.map { "." + $0 } ?? "")
    let file = try FileDescriptor.open(RawPath(path), [.writeOnly, .create, .exclusive])
    self.path = path
    try file.write(bytes)
  }

  deinit {
    _ = unsafe RawPath(path).withCString { unsafe unlink($0) }
  }
}
