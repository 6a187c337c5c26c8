internal import CLinux
internal import Glibc

/// A read lease: the kernel grants it only if the file is not open for writing (fcntl(2), F_SETLEASE).
///
/// While a lease is held, a program that opens the file for writing must wait. For this reason a lease is released at
/// once, except between the last check and the rename of a claim. Every thread must block SIGIO, which the kernel sends
/// when such a program appears.
package enum ReadLease {
  package enum Answer: Hashable, Sendable {
    /// The file is not open for writing.
    case granted
    /// The file is open for writing.
    case writer
    /// The file belongs to another user and we lack CAP_LEASE, or the file system has no leases.
    case unavailable
  }

  /// Requests a lease and releases it at once.
  package static func ask(_ file: borrowing FileDescriptor) -> Answer {
    let answer = take(file)
    if answer == .granted { giveBack(file) }
    return answer
  }

  /// Requests a lease and keeps it.
  package static func take(_ file: borrowing FileDescriptor) -> Answer {
    if clinux_fcntl(file.number, CLINUX_F_SETLEASE, F_RDLCK) == 0 { return .granted }
    switch Errno.last {
    case .again, .busy: return .writer
    default: return .unavailable
    }
  }

  /// Whether no program has tried to open the file for writing since the lease was taken.
  package static func isUndisturbed(_ file: borrowing FileDescriptor) -> Bool {
    clinux_fcntl(file.number, CLINUX_F_GETLEASE, 0) == F_RDLCK
  }

  package static func giveBack(_ file: borrowing FileDescriptor) {
    _ = clinux_fcntl(file.number, CLINUX_F_SETLEASE, F_UNLCK)
  }
}
