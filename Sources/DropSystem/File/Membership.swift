internal import CLinux
internal import Glibc

/// Whether a user belongs to a group, by its primary group or a supplementary one: getpwuid_r(3), getgrouplist(3).
///
/// Many threads ask at once.
package func isMember(user: UInt32, of group: UInt32) -> Bool {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
    guard let room = buffer.baseAddress else { return false }
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    guard unsafe getpwuid_r(user, &entry, room, buffer.count, &found) == 0, unsafe found != nil else { return false }
    let primary = unsafe entry.pw_gid
    if primary == group { return true }
    var groups = [gid_t](repeating: 0, count: 256)
    var count = Int32(groups.count)
    guard unsafe getgrouplist(entry.pw_name, primary, &groups, &count) >= 0 else { return false }
    return groups.prefix(Int(count)).contains(group)
  }
}
