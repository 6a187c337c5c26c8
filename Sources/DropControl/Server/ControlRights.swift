package import DropSystem

/// Decides who may make changes: root, the daemon's own user, and members of a group that senders do not need.
///
/// Anyone who may open the socket may read; the mode of the socket's file determines who that is.
package struct ControlRights: Hashable, Sendable {
  /// The group whose members may make changes, and may open the socket.
  package static let adminGroup = "dropzone-admin"

  let owner: UInt32
  let admins: UInt32?

  /// `admins` is the id of the group; nil if there is no such group.
  package init(owner: UInt32, admins: UInt32?) {
    self.owner = owner
    self.admins = admins
  }

  /// The rights for this process on this machine. Looks up the group once.
  package static var current: ControlRights {
    ControlRights(owner: UserDatabase.effectiveUser, admins: UserDatabase.group(named: adminGroup))
  }

  package func mayChange(_ peer: PeerCredentials) -> Bool {
    if peer.user == 0 || peer.user == owner { return true }
    guard let admins else { return false }
    return peer.groups.contains(admins)
  }
}
