internal import CLinux
internal import Glibc

/// A read lease: the kernel grants it only while nobody has the file open for writing (fcntl(2), F_SETLEASE).
///
/// While it is held an opener for writing waits for us, so it is taken and dropped at once; the one exception is from
/// the last check to the rename of a claim. SIGIO, which tells of such an opener, must be blocked in every thread.
package enum ReadLease {
  package enum Answer: Hashable, Sendable {
    /// Nobody has the file open for writing.
    case granted
    case writer
    /// Not the owner and without CAP_LEASE, or a file system without leases.
    case unavailable
  }

  /// Asks for a lease and gives it back.
  package static func ask(_ file: borrowing FileDescriptor) -> Answer {
    let answer = take(file)
    if answer == .granted { giveBack(file) }
    return answer
  }

  /// Asks for a lease and keeps it.
  package static func take(_ file: borrowing FileDescriptor) -> Answer {
    if clinux_fcntl(file.number, CLINUX_F_SETLEASE, F_RDLCK) == 0 { return .granted }
    switch Errno.last {
    case .again, .busy: return .writer
    default: return .unavailable
    }
  }

  /// Whether nobody has come to write since the lease was taken.
  package static func isUndisturbed(_ file: borrowing FileDescriptor) -> Bool {
    clinux_fcntl(file.number, CLINUX_F_GETLEASE, 0) == F_RDLCK
  }

  package static func giveBack(_ file: borrowing FileDescriptor) {
    _ = clinux_fcntl(file.number, CLINUX_F_SETLEASE, F_UNLCK)
  }
}
