internal import CLinux
package import DropEngine
internal import Glibc

/// A copy on its way into a zone: nobody sees it under its name before all of it is there.
///
/// It has no name at all where the file system can do that (O_TMPFILE), else a hidden one. One that is
/// let go unfinished leaves nothing behind.
package final class OutgoingFile {
  private let source: SourceFile
  private let directory: FileDescriptor
  private let name: RawPath
  private var file: FileDescriptor?
  /// The hidden name, until it is exchanged.
  private var hidden: RawPath?
  private var position: Int64 = 0

  /// - Parameter directory: where it is to appear, under `name`, which must be free.
  package init(_ source: SourceFile, to directory: RawPath, as name: RawPath, id: DropID) throws(Errno) {
    self.source = source
    self.name = name
    let place = try FileDescriptor.open(directory, [.readOnly, .directory])
    self.directory = try FileDescriptor.open(".", in: place.number, [.readOnly, .directory])
    do throws(Errno) {
      file = try FileDescriptor.open(".", in: place.number, [.readWrite, .unnamed], mode: 0o600)
    } catch {
      // EISDIR: a kernel, and EINVAL and EOPNOTSUPP: file systems that know no unnamed files.
      guard [.notSupported, .isDirectory, .invalid].contains(error) else { throw error }
      let hidden = RawPath(".dropzone-put-\(id)")
      file = try FileDescriptor.open(hidden, in: place.number, [.readWrite, .create, .exclusive], mode: 0o600)
      self.hidden = hidden
    }
  }

  deinit {
    guard let hidden else { return }
    let number = directory.number
    _ = unsafe hidden.withCString { unsafe unlinkat(number, $0, 0) }
  }

  /// Whether it cannot be seen by anybody before it is finished.
  package var isUnnamed: Bool { hidden == nil }

  /// Copies the bytes. `progress` is told how many there are so far, and says whether to go on; false ends with `interrupted`.
  package func copy(progress: (Int64) -> Bool) throws(Errno) {
    guard let target = file?.number else { throw .invalid }
    // ioctl_ficlone(2): where the file system can share the blocks, there is nothing to copy.
    if clinux_ficlone(target, source.descriptor.number) == 0 {
      position = source.size
      _ = progress(position)
      return
    }
    var isInKernel = true
    while true {
      let moved: Int
      do throws(Errno) {
        moved = try (isInKernel ? Self.inKernel : Self.throughHere)(source.descriptor.number, target, position)
      } catch {
        // Between these file systems the bytes have to pass through here.
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

  private static func throughHere(_ source: Int32, _ target: Int32, _ position: Int64) throws(Errno) -> Int {
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

  /// Makes the bytes durable and then shows the file under its name, with nobody writing to it.
  ///
  /// `exists` when the name is taken; what has it is left alone.
  package func finish() throws(Errno) {
    guard let writing = file.take() else { throw .invalid }
    // Before the mode is what it will be, which need not let even us in.
    let reading = try writing.reopened(.readOnly)
    _ = consume writing
    let number = reading.number
    let times = [source.modified, source.modified]
    try check { fchmod(number, source.mode) }
    try check { unsafe futimens(number, times) }
    try reading.sync()
    try appear(number)
    try directory.sync()
  }

  private func appear(_ number: Int32) throws(Errno) {
    let place = directory.number
    guard let hidden else {
      let own = RawPath("/proc/self/fd/\(number)")
      return try unsafe own.withCString { (own) throws(Errno) in
        try unsafe name.withCString { (name) throws(Errno) in
          try check { unsafe linkat(AT_FDCWD, own, place, name, AT_SYMLINK_FOLLOW) }
        }
      }
    }
    try unsafe hidden.withCString { (hidden) throws(Errno) in
      try unsafe name.withCString { (name) throws(Errno) in
        do throws(Errno) {
          try check { unsafe renameat2(place, hidden, place, name, CLINUX_RENAME_NOREPLACE) }
        } catch .invalid {
          // A file system that cannot rename without replacing can mostly link, which never replaces.
          try check { unsafe linkat(place, hidden, place, name, 0) }
          try check { unsafe unlinkat(place, hidden, 0) }
        }
      }
    }
    self.hidden = nil
  }
}
