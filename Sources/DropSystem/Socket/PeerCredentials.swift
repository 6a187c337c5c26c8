internal import CLinux
internal import Glibc

/// Who is at the other end of a socket, as the kernel noted it when the connection was made.
package struct PeerCredentials: Hashable, Sendable {
  package let process: Int32
  package let user: UInt32
  /// The primary group and the supplementary groups.
  package let groups: Set<UInt32>

  package init(process: Int32, user: UInt32, groups: Set<UInt32>) {
    self.process = process
    self.user = user
    self.groups = groups
  }
}

extension UnixSocket {
  package borrowing func peer() throws(Errno) -> PeerCredentials {
    let number = self.number
    var credentials = clinux_ucred()
    var length = socklen_t(MemoryLayout<clinux_ucred>.size)
    try check { unsafe getsockopt(number, SOL_SOCKET, CLINUX_SO_PEERCRED, &credentials, &length) }
    return PeerCredentials(
      process: credentials.pid, user: credentials.uid, groups: try supplementaryGroups().union([credentials.gid]))
  }

  /// SO_PEERCRED has only the primary group, so the others need a separate call.
  private borrowing func supplementaryGroups() throws(Errno) -> Set<UInt32> {
    let number = self.number
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      var length = socklen_t(groups.count * MemoryLayout<gid_t>.stride)
      let result = unsafe getsockopt(number, SOL_SOCKET, CLINUX_SO_PEERGROUPS, &groups, &length)
      if result == 0 { return Set(groups.prefix(Int(length) / MemoryLayout<gid_t>.stride)) }
      let error = Errno.last
      // The buffer was too short. `length` is now the needed size, for at most 65,536 groups.
      guard error == Errno(ERANGE), Int(length) > groups.count * MemoryLayout<gid_t>.stride else { throw error }
      groups = [gid_t](repeating: 0, count: Int(length) / MemoryLayout<gid_t>.stride)
    }
  }
}
