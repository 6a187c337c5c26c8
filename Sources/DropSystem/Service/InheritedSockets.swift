internal import CLinux
internal import CSystemd
internal import Glibc
internal import Synchronization

/// The listening sockets that a socket unit opened for this daemon: sd_listen_fds(3).
///
/// Sockets that are not taken are closed when this value ends.
package struct InheritedSockets: ~Copyable {
  private var sockets: [(name: String, number: Int32)]

  private static let taken = Atomic(false)

  /// Takes over the inherited sockets. A second call finds none, because each descriptor has one owner.
  package static func take() -> InheritedSockets {
    guard !taken.exchange(true, ordering: .relaxed) else { return InheritedSockets(sockets: []) }
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    // The environment stays as it is, because only a program with a single thread may change it.
    let count = unsafe sd_listen_fds_with_names(0, &names)
    guard count > 0 else { return InheritedSockets(sockets: []) }
    var sockets: [(name: String, number: Int32)] = []
    for index in 0..<Int(count) {
      let name = unsafe names?[index]
      sockets.append((unsafe name.map { unsafe String(cString: $0) } ?? "", SD_LISTEN_FDS_START + Int32(index)))
      unsafe free(name)
    }
    unsafe free(names)
    return InheritedSockets(sockets: sockets)
  }

  /// The first listening Unix stream socket with a name: `FileDescriptorName=`, or else the name of the socket unit.
  package mutating func take(named name: String) -> FileDescriptor? {
    let found = sockets.firstIndex { socket in
      guard socket.name == name else { return false }
      return sd_is_socket_unix(socket.number, CLINUX_SOCK_STREAM, 1, nil, 0) > 0
    }
    guard let found else { return nil }
    return FileDescriptor(adopting: sockets.remove(at: found).number)
  }

  private init(sockets: [(name: String, number: Int32)]) {
    self.sockets = sockets
  }

  deinit {
    for socket in sockets { close(socket.number) }
  }
}
