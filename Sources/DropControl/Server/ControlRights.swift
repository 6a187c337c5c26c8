package import DropSystem

/// Who may change something: root, the daemon's own user, and members of a group that no sender needs.
///
/// Reading is for anyone who may open the socket; its file's mode says who that is.
package struct ControlRights: Hashable, Sendable {
  /// The group whose members may change things, and who may open the socket.
  package static let adminGroup = "dropzone-admin"

  let owner: UInt32
  let admins: UInt32?

  /// `admins` is the number of the group; nil where there is no such group.
  package init(owner: UInt32, admins: UInt32?) {
    self.owner = owner
    self.admins = admins
  }

  /// Those of this process and of this machine; the group is looked up once.
  package static var current: ControlRights {
    ControlRights(owner: UserDatabase.effectiveUser, admins: UserDatabase.group(named: adminGroup))
  }

  package func mayChange(_ peer: PeerCredentials) -> Bool {
    if peer.user == 0 || peer.user == owner { return true }
    guard let admins else { return false }
    return peer.groups.contains(admins)
  }
}
