internal import CLinux
internal import Glibc

/// Whether a user belongs to a group, by its primary group or a supplementary one: getgrouplist(3).
package func isMember(user: UInt32, of group: UInt32) -> Bool {
  guard let entry = unsafe getpwuid(user) else { return false }
  let primary = unsafe entry.pointee.pw_gid
  if primary == group { return true }
  var groups = [gid_t](repeating: 0, count: 256)
  var count = Int32(groups.count)
  guard unsafe getgrouplist(entry.pointee.pw_name, primary, &groups, &count) >= 0 else { return false }
  return groups.prefix(Int(count)).contains(group)
}
