internal import CLinux
package import DropEngine
internal import Glibc

/// An open file, closed when its owner lets go. Every one is close-on-exec.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for a call that borrows it; never closed by hand.
  package let number: Int32

  /// Takes over an open descriptor.
  package init(adopting number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Gives the descriptor to somebody else, who closes it.
  package consuming func release() -> Int32 {
    let number = self.number
    discard self
    return number
  }
}

/// How a file is opened: open(2).
package struct OpenFlags: OptionSet, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let readOnly = OpenFlags([])
  package static let writeOnly = OpenFlags(rawValue: O_WRONLY)
  package static let readWrite = OpenFlags(rawValue: O_RDWR)
  package static let create = OpenFlags(rawValue: O_CREAT)
  package static let exclusive = OpenFlags(rawValue: O_EXCL)
  package static let append = OpenFlags(rawValue: O_APPEND)
  package static let truncate = OpenFlags(rawValue: O_TRUNC)
  package static let directory = OpenFlags(rawValue: O_DIRECTORY)
  package static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
  package static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
  /// Names a file without opening it: no permission on it is asked, no event raised.
  package static let pathOnly = OpenFlags(rawValue: CLINUX_O_PATH)
  package static let noAccessTime = OpenFlags(rawValue: CLINUX_O_NOATIME)
  /// A file without a name, in the directory that is given.
  package static let unnamed = OpenFlags(rawValue: CLINUX_O_TMPFILE)
}

extension FileDescriptor {
  /// The working directory, where a call wants a directory: AT_FDCWD.
  package static let workingDirectory: Int32 = -100

  /// Opens `path`, relative to the directory `directory` unless absolute.
  package static func open(
    _ path: RawPath, in directory: Int32 = workingDirectory, _ flags: OpenFlags, mode: UInt32 = 0o600
  ) throws(Errno) -> FileDescriptor {
    let number = try unsafe path.withCString { (path) throws(Errno) in
      try retrying { unsafe clinux_openat(directory, path, flags.rawValue | O_CLOEXEC, mode) }
    }
    return FileDescriptor(adopting: number)
  }

  /// Opens `path` below `directory` without following any link and without leaving the directory: openat2(2).
  package static func open(
    beneath directory: Int32, _ path: RawPath, _ flags: OpenFlags
  ) throws(Errno) -> FileDescriptor {
    if path.isEmpty { return try open(".", in: directory, flags) }
    let resolve = UInt64(RESOLVE_BENEATH) | UInt64(RESOLVE_NO_SYMLINKS) | UInt64(RESOLVE_NO_MAGICLINKS)
    let number = try unsafe path.withCString { (path) throws(Errno) in
      try retrying { unsafe clinux_openat2(directory, path, flags.rawValue | O_CLOEXEC, resolve) }
    }
    return FileDescriptor(adopting: number)
  }

  /// Opens the same file again, by its number, with other rights: proc(5).
  package func reopened(_ flags: OpenFlags) throws(Errno) -> FileDescriptor {
    try FileDescriptor.open(RawPath("/proc/self/fd/\(number)"), flags)
  }

  /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
  package func read(at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
    var filled = 0
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while filled < count {
        let got = unsafe pread(
          number, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, Int(offset) + filled)
        if got > 0 {
          filled += got
        } else if got == 0 {
          break
        } else if Errno.last != .interrupted {
          failure = Errno.last
          break
        }
      }
      initialized = filled
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of `bytes` at the descriptor's position.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    var written = 0
    while written < bytes.count {
      let got = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(number, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      if got < 0 {
        guard Errno.last == .interrupted else { throw Errno.last }
      } else {
        written += got
      }
    }
  }

  /// Waits until the file's bytes and attributes, or a directory's names, are on the disk: fsync(2).
  package func sync() throws(Errno) {
    try check { fsync(number) }
  }

  /// The same for everything on the file system the descriptor lies on: syncfs(2).
  package func syncFileSystem() throws(Errno) {
    try check { syncfs(number) }
  }
}

extension RawPath {
  /// Calls `body` with the bytes and the zero that C wants after them.
  package func withCString<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { (buffer) throws(Failure) in
      for (index, byte) in bytes.enumerated() {
        unsafe buffer[index] = CChar(bitPattern: byte)
      }
      unsafe buffer[bytes.count] = 0
      // The allocation holds at least the terminator, so it has a base address.
      guard let base = buffer.baseAddress else { preconditionFailure("an empty temporary allocation") }
      return unsafe try body(UnsafePointer(base))
    }
  }
}

/// Calls `body` again while a signal interrupts it, and turns −1 into the error.
@discardableResult
func retrying(_ body: () -> Int32) throws(Errno) -> Int32 {
  while true {
    let result = body()
    if result >= 0 { return result }
    let error = Errno.last
    guard error == .interrupted else { throw error }
  }
}

/// The same where the result says nothing.
func check(_ body: () -> Int32) throws(Errno) {
  _ = try retrying(body)
}
