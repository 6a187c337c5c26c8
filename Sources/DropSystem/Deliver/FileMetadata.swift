package import DropEngine
internal import CLinux
internal import Glibc

/// Gives a payload the attributes it has in the box: the same whether it was renamed there or copied.
///
/// Everything works on descriptors that are open for reading or writing (O_PATH does not do). What
/// cannot be kept or set is a warning for the receipt, never an error.
package enum FileMetadata {
  /// Applies the zone's owner, group and permissions to a payload that is delivered by rename.
  ///
  /// Touches nothing that is as it should be. A file with another name is left as it is: the change
  /// would reach what the other name means to its owner.
  ///
  /// `file` is as `sight` has it, and the box as `box` has it. Returns the warnings; nil where nothing was to be done.
  package static func apply(
    _ rules: DeliveryRules, of box: FileStatus, to file: borrowing FileDescriptor, as status: FileStatus
  ) -> [String]? {
    var warnings: [String] = []
    let wish = AttributeWish(rules, original: status, box: box, warnings: &warnings)
    guard !warnings.isEmpty || wish.changes(status) || rules.permissions.isFixed else { return nil }
    return warnings + settle(file.number, wish, rules)
  }

  /// Gives a fresh copy the times, mode, access list and `user.` attributes of its source, and then the zone's rules.
  package static func copy(
    from source: borrowing FileDescriptor, to target: borrowing FileDescriptor, _ rules: DeliveryRules,
    of box: borrowing FileDescriptor
  ) -> [String] {
    var warnings = ExtendedAttributes.copyAccessList(from: source.number, to: target.number)
    do throws(Errno) {
      let (original, box) = (try FileStatus.read(at: source.number), try FileStatus.read(at: box.number))
      let wish = AttributeWish(rules, original: original, box: box, warnings: &warnings)
      warnings += settle(target.number, wish, rules)
    } catch {
      warnings.append("owner and permissions not looked at: \(error)")
    }
    warnings += ExtendedAttributes.copyUserAttributes(from: source.number, to: target.number)
    // The times go last: setting attributes leaves mtime alone, a late write would not.
    do throws(Errno) {
      let status = try status(source.number)
      let times = [status.st_atim, status.st_mtim]
      try check { unsafe futimens(target.number, times) }
    } catch {
      warnings.append("times not kept: \(error)")
    }
    return warnings
  }

  private static func settle(_ file: Int32, _ wish: AttributeWish, _ rules: DeliveryRules) -> [String] {
    var warnings: [String] = []
    do throws(Errno) {
      var now = try FileStatus.read(at: file)
      if now.links > 1, wish.changes(now), now.kind == .regular {
        return ["owner and permissions left as they are: the file has another name"]
      }
      if wish.owner != now.owner {
        note(&warnings, "owner not \(wish.ownerVerb)") { fchown(file, wish.owner, .max) }
      }
      if wish.group != now.group {
        note(&warnings, "group not \(wish.groupVerb)") { fchown(file, .max, wish.group) }
      }
      if rules.permissions.isFixed {
        // An access list would give rights beside the nine bits that were written.
        warnings += ExtendedAttributes.removeAccessList(file)
      }
      // chown(2) may have taken bits away.
      now = try FileStatus.read(at: file)
      if wish.mode != now.mode {
        note(&warnings, "permissions not \(wish.modeVerb)") { fchmod(file, wish.mode) }
      }
    } catch {
      warnings.append("owner and permissions not looked at: \(error)")
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

/// Whose a payload is to be, and who may do what with it.
private struct AttributeWish {
  let owner: uid_t
  let group: gid_t
  let mode: mode_t
  let ownerVerb: String
  let groupVerb: String
  let modeVerb: String

  /// A name that nobody has is a warning, and the attribute then stays the sender's.
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
      // Reading and writing are the box's to give, executing is the sender's alone.
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
