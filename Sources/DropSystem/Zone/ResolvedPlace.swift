internal import CLinux
package import DropEngine
internal import Glibc

/// The place that a path from a configuration leads to.
package struct ResolvedPlace: Hashable, Sendable {
  /// The path with links resolved as far as it exists. Components that do not exist yet follow unchanged.
  package let real: RawPath
  /// The identity of the directory; nil if it does not exist.
  package let identity: Identity?
  /// The identities of its existing ancestors, including the root.
  package let ancestors: Set<Identity>

  /// The identity of a file, which is valid until the next boot.
  package struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  package init(_ path: RawPath) {
    var existing = path.components
    var missing: [RawPath] = []
    var resolved = Self.resolve(Self.absolute(existing))
    while resolved == nil, let last = existing.popLast() {
      missing.insert(last, at: 0)
      resolved = Self.resolve(Self.absolute(existing))
    }
    let base = resolved ?? "/"
    real = missing.reduce(base) { $0.appending($1) }
    identity = missing.isEmpty ? Self.identity(of: base) : nil
    var ancestors: Set<Identity> = []
    var above = base.components
    if missing.isEmpty { _ = above.popLast() }
    while true {
      if let found = Self.identity(of: Self.absolute(above)) { ancestors.insert(found) }
      guard above.popLast() != nil else { break }
    }
    self.ancestors = missing.isEmpty && base == "/" ? [] : ancestors
  }

  /// A path of which only the name is known.
  init(unanswered path: RawPath) {
    (real, identity, ancestors) = (path, nil, [])
  }

  private static func absolute(_ components: [RawPath]) -> RawPath {
    components.reduce("/") { $0.appending($1) }
  }

  /// Calls realpath(3); returns nil if the path does not exist or is not accessible.
  private static func resolve(_ path: RawPath) -> RawPath? {
    guard let resolved = unsafe path.withCString({ path in unsafe realpath(path, nil) }) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe RawPath(
      bytes: UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map(UInt8.init(bitPattern:)))
  }

  private static func identity(of path: RawPath) -> Identity? {
    var status = stat()
    guard unsafe path.withCString({ path in unsafe stat(path, &status) }) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
