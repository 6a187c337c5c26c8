import DropEngine
import DropFlow
import DropSystem

/// Locks a zone, creates its missing box and rejects directory, and finds out what its places are.
///
/// Each of these calls may wait for a file system for ever.
struct ZonePreparation: Sendable {
  let settings: ZoneSettings
  let lock: ZoneLock
  let lockDirectory: RawPath
  let mountPoints: MountPoints

  struct Result: Sendable {
    var warnings: [String] = []
    /// The directories of the zone, which other zones do not scan.
    var directories: [FileIdentity] = []
    var mountPoints: [String] = []
    /// Whether a server answers for one of the places, and may stop doing so.
    var dependsOnServer = false
  }

  func run() throws(OpeningError) -> Result {
    var result = Result()
    try lock.take(for: settings, in: lockDirectory)
    for (path, model) in [(settings.box, nil), (settings.rejects, settings.box)] as [(String, String?)] {
      do throws(PlaceError) {
        if !mountPoints.contains(path) { try Place.make(path, like: model) }
      } catch {
        result.warnings.append(error.message)
      }
    }
    for path in [settings.path, settings.box, settings.rejects] { note(path, in: &result) }
    return result
  }

  private func note(_ path: String, in result: inout Result) {
    guard let directory = try? Directory(path), let status = try? directory.status() else { return }
    result.directories.append(status.identity)
    if status.isMountRoot { result.mountPoints.append(path) }
    if !directory.fileSystemKind.evidence.usesLease { result.dependsOnServer = true }
  }
}
