internal import CLinux
package import DropEngine
internal import Glibc

/// A copy into a zone, which gets its name only when it is complete.
///
/// Until then it has no name if the file system supports that (O_TMPFILE), or else a hidden one. An unfinished copy
/// leaves nothing behind.
package final class OutgoingFile {
  private let source: SourceFile
  private let directory: Directory
  private let name: RawPath
  private var file: OpenFile?
  /// The hidden name, until the copy gets its final one.
  private var hidden: RawPath?
  private var position: Int64 = 0

  /// - Parameter directory: The directory in which the copy will appear under `name`, which must be free.
  package init(_ source: SourceFile, to directory: RawPath, as name: RawPath, id: DropID) throws(FileError) {
    self.source = source
    self.name = name
    self.directory = try Directory(directory)
    do throws(FileError) {
      file = try self.directory.openUnnamed(.readWrite)
    } catch {
      // EISDIR: the kernel has no unnamed files. EINVAL and EOPNOTSUPP: the file system has none.
      guard [.notSupported, .isDirectory, .invalid].contains(error.errno) else { throw error }
      let hidden = RawPath(".dropzone-put-\(id)")
      file = try self.directory.open(hidden, [.readWrite, .create, .exclusive])
      self.hidden = hidden
    }
  }

  deinit {
    if let hidden { try? directory.unlink(hidden) }
  }

  /// Whether other programs cannot see the copy before it is finished.
  package var isUnnamed: Bool { hidden == nil }

  /// Copies the bytes. `progress` is called with the number of bytes copied so far and returns whether to continue; if
  /// not, the copy fails with `interrupted`.
  package func copy(progress: (Int64) -> Bool) throws(FileError) {
    try naming(.copy, source.file.path, to: directory.path.appending(name)) { () throws(Errno) in
      try copyBytes(progress)
    }
  }

  private func copyBytes(_ progress: (Int64) -> Bool) throws(Errno) {
    guard let target = file?.number else { throw .invalid }
    // ioctl_ficlone(2): if the file system can share the blocks, there is nothing to copy.
    if clinux_ficlone(target, source.file.number) == 0 {
      position = source.size
      _ = progress(position)
      return
    }
    var isInKernel = true
    while true {
      let moved: Int
      do throws(Errno) {
        moved = try (isInKernel ? Self.inKernel : Self.throughMemory)(source.file.number, target, position)
      } catch {
        // Between these file systems, the bytes must pass through this process.
        let passes = [Errno.crossDevice, .invalid, .notSupported, Errno(ENOSYS)].contains(error)
        guard passes, isInKernel, position == 0 else { throw error }
        isInKernel = false
        continue
      }
      if moved == 0 { return }
      position += Int64(moved)
      guard progress(position) else { throw .interrupted }
    }
  }

  private static func inKernel(_ source: Int32, _ target: Int32, _ position: Int64) throws(Errno) -> Int {
    var from = off_t(position)
    var to = off_t(position)
    let moved = unsafe copy_file_range(source, &from, target, &to, 4 << 20, 0)
    if moved < 0 { throw .last }
    return moved
  }

  private static func throughMemory(_ source: Int32, _ target: Int32, _ position: Int64) throws(Errno) -> Int {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let got = unsafe pread(source, &buffer, buffer.count, off_t(position))
    if got < 0 { throw .last }
    var written = 0
    while written < got {
      let more = unsafe buffer[written..<got].withUnsafeBytes { rest in
        unsafe pwrite(target, rest.baseAddress, rest.count, off_t(position) + off_t(written))
      }
      if more < 0 { throw .last }
      written += more
    }
    return got
  }

  /// Makes the bytes durable, closes the file for writing, and then gives the copy its name.
  ///
  /// Fails with `exists` if the name is taken; the file that has it stays as it is.
  package func finish() throws(FileError) {
    // It is opened before the mode is set, because the mode may not permit even us to read it.
    guard let reading = try file?.reopened(.readOnly) else { throw FileError(.invalid, .open, directory.path) }
    // This closes the descriptor that is open for writing.
    file = nil
    try naming(.setMode, reading.path) { () throws(Errno) in try check { fchmod(reading.number, source.mode) } }
    try naming(.setTimes, reading.path) { () throws(Errno) in
      let times = [source.modified, source.modified]
      try check { unsafe futimens(reading.number, times) }
    }
    try reading.sync()
    if let hidden {
      try directory.renameReplacingNothing(hidden, to: name, in: directory)
      self.hidden = nil
    } else {
      try directory.link(reading, as: name)
    }
    try directory.sync()
  }
}
