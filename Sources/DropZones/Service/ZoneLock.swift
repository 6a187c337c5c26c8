import DropEngine
import DropSystem
import Synchronization

/// The lock of a zone: only one process at a time can serve it. The lock ends with this object.
final class ZoneLock: Sendable {
  private final class Held: Sendable {
    let lock: ExclusiveLock

    init(_ lock: consuming ExclusiveLock) {
      self.lock = lock
    }
  }

  private let held = Mutex<Held?>(nil)

  /// Locks the directory of a zone, if it exists and is not locked yet. If an earlier call hangs, this one does, too.
  ///
  /// - Parameter directory: The directory for the lock files.
  func take(for settings: ZoneSettings, in directory: RawPath) throws(OpeningError) {
    let result = held.withLock { held in
      Result { () throws(OpeningError) in
        if held == nil { held = try Self.locked(settings, in: directory) }
      }
    }
    try result.get()
  }

  private static func locked(_ settings: ZoneSettings, in directory: RawPath) throws(OpeningError) -> Held? {
    guard let root = try? Directory(settings.path), let status = try? root.status() else { return nil }
    do throws(ExclusiveLock.Failure) {
      // The name includes the birth time, because a new mount may reuse the numbers of an old one. On an overlay, the
      // birth time changes when a directory is copied up, so it is left out there.
      let birth = root.fileSystemKind.copiesUp ? 0 : status.identity.birth
      let name = RawPath("zone-\(status.identity.device)-\(status.identity.inode)-\(birth)")
      return Held(try ExclusiveLock(file: name, in: directory))
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
}
