internal import CLinux
internal import DropEngine
internal import Glibc

/// What a copy keeps besides the content and the mode: xattr(7), acl(5).
enum ExtendedAttributes {
  private static let accessList = Array("system.posix_acl_access".utf8)
  private static let userPrefix = Array("user.".utf8)
  /// XATTR_SIZE_MAX and XATTR_LIST_MAX, the kernel's limits.
  private static let limit = 65536

  /// Copies the access list. If the source has none, removes the one that the target inherited from its directory.
  static func copyAccessList(from source: Int32, to target: Int32) -> [String] {
    do throws(Errno) {
      guard let list = try value(accessList, of: source) else { return removeAccessList(target) }
      try set(accessList, list, on: target)
      return []
    } catch {
      return ["access list not kept: \(error)"]
    }
  }

  static func removeAccessList(_ file: Int32) -> [String] {
    do throws(Errno) {
      try unsafe RawPath(bytes: accessList).withCString { (name) throws(Errno) in
        try check { unsafe fremovexattr(file, name) }
      }
      return []
    } catch {
      return isAbsence(error) ? [] : ["access list not removed: \(error)"]
    }
  }

  /// Copies each `user.` attribute. All failures together are one warning, because a sender chooses their number.
  static func copyUserAttributes(from source: Int32, to target: Int32) -> [String] {
    let names: [[UInt8]]
    do { names = try list(source) } catch {
      return isAbsence(error) ? [] : ["attributes not kept: \(error)"]
    }
    var failed: [(name: [UInt8], error: Errno)] = []
    for name in names where name.starts(with: userPrefix) {
      do throws(Errno) {
        guard let value = try value(name, of: source) else { continue }
        try set(name, value, on: target)
      } catch {
        failed.append((name, error))
      }
    }
    guard let first = failed.first else { return [] }
    let others = failed.count == 1 ? "" : " and \(failed.count - 1) more"
    return ["attribute '\(Escaping.escape(first.name))'\(others) not kept: \(first.error)"]
  }

  /// Whether an error means that the attribute does not exist or the file system has no attributes.
  private static func isAbsence(_ error: Errno) -> Bool {
    error.number == ENODATA || error == .notSupported
  }

  private static func list(_ file: Int32) throws(Errno) -> [[UInt8]] {
    var names = [CChar](repeating: 0, count: limit)
    let count = unsafe flistxattr(file, &names, names.count)
    guard count >= 0 else { throw Errno.last }
    return names.prefix(count).map { UInt8(bitPattern: $0) }.split(separator: 0).map { Array($0) }
  }

  private static func value(_ name: [UInt8], of file: Int32) throws(Errno) -> [UInt8]? {
    try unsafe RawPath(bytes: name).withCString { (name) throws(Errno) in
      // Most files have none, so the size is queried before a buffer is allocated.
      let size = unsafe fgetxattr(file, name, nil, 0)
      if size < 0, isAbsence(Errno.last) { return nil }
      guard size >= 0 else { throw Errno.last }
      var value = [UInt8](repeating: 0, count: size)
      let count = unsafe fgetxattr(file, name, &value, value.count)
      guard count >= 0 else { throw Errno.last }
      return Array(value.prefix(count))
    }
  }

  private static func set(_ name: [UInt8], _ value: [UInt8], on file: Int32) throws(Errno) {
    try unsafe RawPath(bytes: name).withCString { (name) throws(Errno) in
      try check { unsafe fsetxattr(file, name, value, value.count, 0) }
    }
  }
}
