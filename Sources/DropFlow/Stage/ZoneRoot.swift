import DropEngine
import DropSystem

/// Where a zone's `Path=` leads, and whether the zone can be used.
struct ZoneRoot {
  /// Where the path leads; once that is known, a link that is put there later is not followed. Otherwise somebody with
  /// write access beside the zone could empty any directory through it.
  private(set) var path: String
  private(set) var isResolved = false
  /// Whether the path was a link when the zones were read.
  private(set) var mayBeLink: Bool
  /// The root's number in the tree, while it is watched.
  var directory: Int32?
  /// Whether the path may lead elsewhere by now.
  var needsCheck = false
  /// Why the zone cannot be used, such as that its directory is missing.
  var unavailable: String?

  /// - Parameter declared: The path as it was declared.
  init(declared: String) {
    path = declared
    mayBeLink = isLink(declared)
  }

  mutating func resolve(to path: String) {
    self.path = path
    isResolved = true
  }

  /// Accepts wherever the declared path leads now, because an operator has vouched for it.
  mutating func forgetResolution(declared: String) {
    isResolved = false
    mayBeLink = isLink(declared)
  }
}

/// Whether the last part of a path is a symbolic link.
func isLink(_ path: String) -> Bool {
  (try? FileStatus.read(at: RawPath(path), in: FileDescriptor.workingDirectory))?.kind == .symbolicLink
}
