internal import CLinux
internal import Glibc

/// The system's users and groups: getgrnam(3).
package enum UserDatabase {
  /// The effective user of this process.
  package static var effectiveUser: UInt32 { geteuid() }

  /// Looks up the group `name`, which may query the network. Returns nil if there is no such group.
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

  /// A user's home directory: getpwuid(3).
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
