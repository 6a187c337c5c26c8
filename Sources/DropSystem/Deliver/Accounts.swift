internal import CLinux
internal import Glibc

/// Looks up users and groups by name or number in the system's name services.
package enum Accounts {
  // The largest number is not valid: for chown(2), it means "unchanged".

  package static func user(_ name: String) -> UInt32? {
    if let number = UInt32(name), number != .max { return number }
    var record = unsafe passwd()
    return unsafe find { buffer, count in
      var found: UnsafeMutablePointer<passwd>?
      let failure = unsafe getpwnam_r(name, &record, buffer, count, &found)
      return (failure, unsafe found?.pointee.pw_uid)
    }
  }

  package static func group(_ name: String) -> UInt32? {
    if let number = UInt32(name), number != .max { return number }
    var record = unsafe Glibc.group()
    return unsafe find { buffer, count in
      var found: UnsafeMutablePointer<Glibc.group>?
      let failure = unsafe getgrnam_r(name, &record, buffer, count, &found)
      return (failure, unsafe found?.pointee.gr_gid)
    }
  }

  /// Repeats a lookup with a larger buffer if the record does not fit: a group can have many members.
  private static func find(
    _ body: (UnsafeMutablePointer<CChar>, Int) -> (failure: Int32, id: UInt32?)
  ) -> UInt32? {
    var size = 4096
    while size <= 1 << 22 {
      var buffer = [CChar](repeating: 0, count: size)
      let answer = unsafe body(&buffer, size)
      guard answer.failure == ERANGE else { return answer.id }
      size *= 4
    }
    return nil
  }
}
