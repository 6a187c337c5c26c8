import DropEngine
import DropSystem

/// The locks of the zones of this process: only one process at a time can serve a zone.
struct ZoneLocks: Sendable {
  private let directory: RawPath
  private var locks: [String: LockBox] = [:]

  private final class LockBox: Sendable {
    let lock: ExclusiveLock

    init(_ lock: consuming ExclusiveLock) {
      self.lock = lock
    }
  }

  /// - Parameter directory: The directory for the lock files.
  init(in directory: RawPath) {
    self.directory = directory
  }

  /// Locks the directory of a zone, if it exists and is not locked already.
  mutating func lock(_ settings: ZoneSettings) throws(OpeningError) {
    guard locks[settings.name] == nil, let root = try? Directory(settings.path), let status = try? root.status() else {
      return
    }
    do throws(ExclusiveLock.Failure) {
      // The name includes the birth time, because a new mount may reuse the numbers of an old one. On an overlay, the
      // birth time changes when a directory is copied up, so it is left out there.
      let birth = root.fileSystemKind.copiesUp ? 0 : status.identity.birth
      let name = RawPath("zone-\(status.identity.device)-\(status.identity.inode)-\(birth)")
      locks[settings.name] = LockBox(try ExclusiveLock(file: name, in: directory))
    } catch {
      switch error {
      case .held(let process):
        let who = process.map { "process \($0)" } ?? "another process"
        throw OpeningError("zone '\(settings.name)' ('\(Escaping.escape(settings.path))') is served by \(who)")
      case .failed(let error):
        throw OpeningError("zone '\(settings.name)': \(error)")
      }
    }
  }

  mutating func unlock(_ zone: String) {
    locks[zone] = nil
  }
}
