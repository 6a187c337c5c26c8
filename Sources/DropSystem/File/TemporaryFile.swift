internal import DropEngine

/// A file where temporary files go, gone when its owner lets go.
package final class TemporaryFile: Sendable {
  package let path: String

  /// Makes one that holds `bytes`.
  ///
  /// - Parameters:
  ///   - suffix: the end of its name, without the dot.
  ///   - mode: what the process's mask leaves of it.
  package init(_ bytes: [UInt8], suffix: String? = nil, mode: UInt32 = 0o600) throws(FileError) {
    let directory = ProcessArguments.variable("TMPDIR")?.string ?? "/tmp"
    let path = "\(directory)/dropzone-\(newDropID())" + (suffix.map { "." + $0 } ?? "")
    let file = try Directory.working.open(RawPath(path), [.writeOnly, .create, .exclusive], mode: mode)
    self.path = path
    try file.write(bytes)
  }

  deinit {
    try? Directory.working.unlink(RawPath(path))
  }
}
