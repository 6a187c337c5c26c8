package import DropEngine
internal import CLinux
internal import Glibc

/// Sets the attributes that a payload has in the box, in the same way after a rename and after a copy.
///
/// The descriptors must be open for reading or writing; O_PATH is not enough. Attributes that cannot be kept or set
/// are warnings for the receipt, never errors.
package enum FileMetadata {
  /// Applies the zone's owner, group and permissions to a payload that is delivered by rename.
  ///
  /// Attributes that are already right are not set. A file with another hard link stays as it is, because the change
  /// would be visible under the other name too.
  ///
  /// `status` and `box` are the states of the file and of the box. Returns the warnings, or nil if nothing had to be done.
  package static func apply(
    _ rules: DeliveryRules, of box: FileStatus, to file: borrowing FileDescriptor, as status: FileStatus
  ) -> [String]? {
    var warnings: [String] = []
    let wish = TargetAttributes(rules, original: status, box: box, warnings: &warnings)
    guard !warnings.isEmpty || wish.changes(status) || rules.permissions.isFixed else { return nil }
    return warnings + settle(file.number, wish, rules)
  }

  /// Gives a new copy the times, mode, access list and `user.` attributes of its source, and then applies the zone's rules.
  package static func copy(
    from source: borrowing FileDescriptor, to target: borrowing FileDescriptor, _ rules: DeliveryRules,
    of box: borrowing FileDescriptor
  ) -> [String] {
    var warnings = ExtendedAttributes.copyAccessList(from: source.number, to: target.number)
    do throws(Errno) {
      let (original, box) = (try FileStatus.read(at: source.number), try FileStatus.read(at: box.number))
      let wish = TargetAttributes(rules, original: original, box: box, warnings: &warnings)
      warnings += settle(target.number, wish, rules)
    } catch {
      warnings.append("owner and permissions not checked: \(error)")
    }
    warnings += ExtendedAttributes.copyUserAttributes(from: source.number, to: target.number)
    // The times come last: setting attributes does not change mtime, but a delayed write would.
    do throws(Errno) {
      let status = try status(source.number)
      let times = [status.st_atim, status.st_mtim]
      try check { unsafe futimens(target.number, times) }
    } catch {
      warnings.append("times not kept: \(error)")
    }
    return warnings
  }

  private static func settle(_ file: Int32, _ wish: TargetAttributes, _ rules: DeliveryRules) -> [String] {
    var warnings: [String] = []
    do throws(Errno) {
      var now = try FileStatus.read(at: file)
      if now.links > 1, wish.changes(now), now.kind == .regular {
        return ["owner and permissions not changed: the file has another hard link"]
      }
      if wish.owner != now.owner {
        note(&warnings, "owner not \(wish.ownerVerb)") { fchown(file, wish.owner, .max) }
      }
      if wish.group != now.group {
        note(&warnings, "group not \(wish.groupVerb)") { fchown(file, .max, wish.group) }
      }
      if rules.permissions.isFixed {
        // An access list would grant rights in addition to the nine configured bits.
        warnings += ExtendedAttributes.removeAccessList(file)
      }
      // chown(2) may have cleared bits.
      now = try FileStatus.read(at: file)
      if wish.mode != now.mode {
        note(&warnings, "permissions not \(wish.modeVerb)") { fchmod(file, wish.mode) }
      }
    } catch {
      warnings.append("owner and permissions not checked: \(error)")
    }
    return warnings
  }

  private static func note(_ warnings: inout [String], _ what: String, _ body: () -> Int32) {
    do { try check(body) } catch { warnings.append("\(what): \(error)") }
  }

  static func status(_ file: Int32) throws(Errno) -> stat {
    var status = stat()
    try check { unsafe fstat(file, &status) }
    return status
  }
}

/// The owner, group and mode that a payload is to have.
private struct TargetAttributes {
  let owner: uid_t
  let group: gid_t
  let mode: mode_t
  let ownerVerb: String
  let groupVerb: String
  let modeVerb: String

  /// An unknown user or group is a warning, and the attribute stays as the sender set it.
  init(_ rules: DeliveryRules, original: FileStatus, box: FileStatus, warnings: inout [String]) {
    let inheriting = box.mode & 0o2000 != 0
    switch rules.owner {
    case .keep, .inherit: (owner, ownerVerb) = (original.owner, "kept")
    case .daemon: (owner, ownerVerb) = (geteuid(), "set")
    case .named(let name):
      let found = Accounts.user(name)
      if found == nil { warnings.append("owner not set: there is no user '\(Escaping.escape(name))'") }
      (owner, ownerVerb) = (found ?? original.owner, "set")
    }
    switch rules.group {
    case .inherit where inheriting: (group, groupVerb) = (box.group, "set")
    case .keep, .inherit: (group, groupVerb) = (original.group, "kept")
    case .daemon: (group, groupVerb) = (getegid(), "set")
    case .named(let name):
      let found = Accounts.group(name)
      if found == nil { warnings.append("group not set: there is no group '\(Escaping.escape(name))'") }
      (group, groupVerb) = (found ?? original.group, "set")
    }
    switch rules.permissions {
    case .inherit where inheriting:
      // The box determines whether the group can read and write; the sender determines whether it can execute.
      mode = original.mode & 0o717 | box.mode & 0o060
      modeVerb = "set"
    case .inherit, .keep:
      mode = original.mode & 0o777
      modeVerb = original.mode & 0o7000 == 0 ? "kept" : "set"
    case .fixed(let bits):
      mode = bits & 0o777
      modeVerb = "set"
    }
  }

  func changes(_ now: FileStatus) -> Bool {
    owner != now.owner || group != now.group || mode != now.mode
  }
}
