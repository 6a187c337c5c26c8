internal import CLinux
internal import Glibc

/// The system's users and groups: getgrnam(3).
package enum UserDatabase {
  /// The user this process acts as.
  package static var effectiveUser: UInt32 { geteuid() }

  /// The number of the group called `name`; nil when there is none. May ask the network.
  package static func group(named name: String) -> UInt32? {
    var capacity = 1_024
    while capacity <= 1 << 20 {
      var entry = unsafe Glibc.group()
      var found: UnsafeMutablePointer<Glibc.group>?
      var buffer = [CChar](repeating: 0, count: capacity)
      let failure = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found)
      if failure != ERANGE { return unsafe found == nil ? nil : entry.gr_gid }
      capacity *= 4
    }
    return nil
  }

  /// Where a user's own files are: getpwuid(3).
  package static func home(of user: UInt32) -> String? {
    var capacity = 1_024
    while capacity <= 1 << 20 {
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var buffer = [CChar](repeating: 0, count: capacity)
      let failure = unsafe getpwuid_r(user, &entry, &buffer, buffer.count, &found)
      if failure != ERANGE { return unsafe found.map { unsafe String(cString: $0.pointee.pw_dir) } }
      capacity *= 4
    }
    return nil
  }
}
