import DropEngine
import DropSystem

/// Where a zone's `Path=` leads, and whether the zone can be used.
struct ZoneRoot {
  /// Stands for the path, of which it is not known where it leads.
  let place: FileSystemQueue
  /// Where the path leads; once that is known, a link that is put there later is not followed. Otherwise somebody with
  /// write access beside the zone could empty any directory through it.
  private(set) var path: String
  private(set) var isResolved = false
  /// Whether the path was a link when the zones were read; nil before it was checked.
  var wasLink: Bool?
  /// The root's number in the tree, while it is watched.
  var directory: Int32?
  /// Whether the path may lead elsewhere by now.
  var needsCheck = false
  /// Why the root cannot be used, such as that its directory is missing.
  var failure: String?
  /// Why the zone cannot be used: because of its root, or of a place that it depends on.
  var unavailable: String?

  /// - Parameter declared: The path as it was declared.
  init(declared: String, at place: FileSystemQueue) {
    path = declared
    self.place = place
  }

  mutating func resolve(to path: String) {
    self.path = path
    isResolved = true
  }

  /// Accepts wherever the declared path leads now, because an operator has vouched for it.
  mutating func forgetResolution() {
    isResolved = false
    wasLink = nil
  }
}
