internal import CLinux
package import DropEngine
internal import Glibc

/// A stream socket in the file system: unix(7). Never blocks, unless a call says so.
package struct UnixSocket: ~Copyable, Sendable {
  package let descriptor: FileDescriptor

  /// Takes over a socket that somebody else opened, such as one the service manager hands on.
  package init(adopting descriptor: consuming FileDescriptor) throws(Errno) {
    let number = descriptor.number
    self.descriptor = descriptor
    try check { clinux_fcntl(number, F_SETFD, FD_CLOEXEC) }
    let flags = try retrying { clinux_fcntl(number, F_GETFL, 0) }
    try check { clinux_fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }

  /// A socket without a name yet.
  package init() throws(Errno) {
    let kind = CLINUX_SOCK_STREAM | O_NONBLOCK | O_CLOEXEC
    descriptor = FileDescriptor(adopting: try retrying { socket(AF_UNIX, kind, 0) })
  }

  package var number: Int32 { descriptor.number }

  /// Connects to the socket `name` in `directory`. A full backlog is `EAGAIN`, a dead socket `ECONNREFUSED`.
  package borrowing func connect(to name: RawPath, in directory: Int32) throws(Errno) {
    let number = self.number
    try unsafe Self.withAddress(name, in: directory) { (address, length) throws(Errno) in
      try retrying { unsafe Glibc.connect(number, address, length) }
    }
  }

  /// Makes the socket file `name` in `directory`, for its owner alone, and answers there once it is listened to.
  package borrowing func bind(to name: RawPath, in directory: Int32) throws(Errno) {
    let number = self.number
    // The file takes the socket's own mode: there is no moment in which it is open to more.
    try check { fchmod(number, 0o600) }
    try unsafe Self.withAddress(name, in: directory) { (address, length) throws(Errno) in
      try retrying { unsafe Glibc.bind(number, address, length) }
    }
  }

  package borrowing func listen(backlog: Int32) throws(Errno) {
    let number = self.number
    try check { Glibc.listen(number, backlog) }
  }

  /// The next client; nil when nobody waits.
  package borrowing func accept() throws(Errno) -> UnixSocket? {
    let number = self.number
    do throws(Errno) {
      let client = try retrying { accept4(number, nil, nil, O_NONBLOCK | O_CLOEXEC) }
      return UnixSocket(accepted: client)
    } catch .again, Errno(ECONNABORTED) {
      return nil
    }
  }

  private init(accepted number: Int32) {
    descriptor = FileDescriptor(adopting: number)
  }

  /// Hands over what it can of `bytes` and says how much that was; 0 when the other side has to read first.
  package borrowing func send(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
    let number = self.number
    do throws(Errno) {
      return try retryingLength {
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe Glibc.send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
      }
    } catch .again {
      return 0
    }
  }

  /// Up to `count` bytes that have arrived; empty at the end, nil when there are none yet.
  package borrowing func receive(_ count: Int) throws(Errno) -> [UInt8]? {
    let number = self.number
    var buffer = [UInt8](repeating: 0, count: count)
    do throws(Errno) {
      let got = try retryingLength { unsafe recv(number, &buffer, count, 0) }
      buffer.removeLast(count - got)
      return buffer
    } catch .again {
      return nil
    }
  }

  /// Calls `body` with the address of `name` in `directory`.
  ///
  /// An address holds 107 bytes, so the directory goes in by its descriptor: any path will do.
  private static func withAddress(
    _ name: RawPath, in directory: Int32,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Void
  ) throws(Errno) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(directory)/".utf8) + name.bytes
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .nameTooLong }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    try unsafe withUnsafePointer(to: &address) { (address) throws(Errno) in
      try unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { (address) throws(Errno) in
        try unsafe body(address, length)
      }
    }
  }
}

/// Like `retrying`, for calls that return a length.
private func retryingLength(_ body: () -> Int) throws(Errno) -> Int {
  while true {
    let result = body()
    if result >= 0 { return result }
    let error = Errno.last
    guard error == .interrupted else { throw error }
  }
}
