internal import CLinux
package import DropEngine
internal import Glibc

/// Where a path that was written in a configuration really leads.
package struct PlaceOnDisk: Hashable, Sendable {
  /// Every link resolved, as far as the path exists; what does not exist yet stands behind as it was written.
  package let real: RawPath
  /// The directory's own, when it exists.
  package let identity: Identity?
  /// Those of the directories above it that exist, the root among them.
  package let ancestors: Set<Identity>

  /// A file as this boot knows it.
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

  private static func absolute(_ components: [RawPath]) -> RawPath {
    components.reduce("/") { $0.appending($1) }
  }

  /// realpath(3); nil for what is not there, or may not be seen.
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
