package import DropEngine
package import DropSystem
internal import Synchronization

/// Why no hold is available.
package struct HoldError: Error, Sendable {
  package let message: String
  /// Whether the operator has to act: waiting does not help.
  package let isTrespass: Bool

  static func trespass(_ message: String) -> HoldError { HoldError(message: message, isTrespass: true) }

  init(message: String, isTrespass: Bool) {
    self.message = message
    self.isTrespass = isTrespass
  }

  init(_ path: String, _ error: FileError) {
    self.init(message: "'\(Escaping.escape(path))': \(error.errno)", isTrespass: false)
  }
}

/// A directory that claimed payloads wait in, out of their senders' reach.
package struct Hold: Sendable {
  package let path: String
  package let directory: Directory
  package let identity: FileIdentity
}

/// Finds the hold of a zone: the first place into which a file of the zone can be renamed.
///
/// Whether two places share a file system is found by doing it; equal device numbers prove nothing, since bind mounts
/// and subvolumes have them too. Nothing stays open between uses: an open descriptor would keep a file system busy.
package final class HoldDirectories: Sendable {
  /// What a hold is for, which decides where it may be.
  package enum Use: Hashable, Sendable {
    /// Payloads of the zone that lie on the mount at this location; empty for the zone's own.
    case claims(RawPath)
    /// Snapshots, on the box's side.
    case snapshots
    /// Rejects that are tried again.
    case rejects
  }

  private let settings: ZoneSettings
  /// What was found before; proved again if it does not open.
  private let known = Mutex<[Use: (path: String, identity: FileIdentity)]>([:])
  private let near = Mutex<[String: (box: FileIdentity, isNear: Bool)]>([:])

  package init(settings: ZoneSettings) {
    self.settings = settings
  }

  /// Whether a rename from the hold into the box works; proved once for each, and only with a name in the hold.
  package func isNear(_ hold: Hold, to box: Directory) -> Bool {
    guard let identity = try? box.status().identity else { return false }
    if let known = near.withLock({ $0[hold.path] }), known.box == identity { return known.isNear }
    do throws(FileError) {
      try box.proveRename(to: hold.directory)
      near.withLock { $0[hold.path] = (identity, true) }
      return true
    } catch {
      // Any other answer may be different next time.
      if error.errno == .crossDevice { near.withLock { $0[hold.path] = (identity, false) } }
      return false
    }
  }

  /// Forgets what was found, because the mounts have changed.
  package func forget() {
    known.withLock { $0 = [:] }
    near.withLock { $0 = [:] }
  }

  /// The hold for files that lie in `root`.
  package func hold(for root: Directory, _ use: Use) throws(HoldError) -> Hold {
    if let (path, identity) = known.withLock({ $0[use] }) {
      if let hold = try? open(path, like: identity) { return hold }
      known.withLock { $0[use] = nil }
    }
    var reasons: [String] = []
    for path in candidates(use) {
      switch Self.prove(path, from: root) {
      case .success(let identity):
        let hold = try open(path, like: identity)
        known.withLock { $0[use] = (path, identity) }
        return hold
      case .failure(let error):
        if error.isTrespass { throw error }
        reasons.append(error.message)
      }
    }
    throw HoldError(message: "no place to hold payloads: " + reasons.joined(separator: "; "), isTrespass: false)
  }

  /// Where a hold may be, in the order in which it is looked for.
  package func candidates(_ use: Use) -> [String] {
    switch use {
    case .claims(let location) where !location.isEmpty:
      // Paths of zones are text; a mount below one may be called anything, and then its own root is all there is.
      location.string.map { [settings.path + "/" + $0 + "/.dropzone-hold"] } ?? []
    case .claims:
      settings.hold.map { [$0] }
        ?? [settings.box + ".hold", settings.path + ".hold", settings.path + "/.dropzone-hold"]
    case .snapshots: [settings.box + ".hold", settings.box + "/.dropzone-hold"]
    case .rejects: [settings.rejects + ".hold", settings.rejects + "/.dropzone-hold"]
    }
  }

  /// Where payloads of this zone may be held, now or by other settings: of a move, a copy, a reject that is tried again,
  /// and on mounts below the zone.
  package func everywhere() -> [String] {
    let root = realPath(settings.path) ?? settings.path
    let mounts = MountTable.places(below: RawPath(root)).compactMap { $0.string }
    let inside = [settings.path, settings.box, settings.rejects] + mounts
    let beside = [settings.path, settings.box, settings.rejects]
    let all = [settings.hold].compactMap { $0 } + beside.map { $0 + ".hold" } + inside.map { $0 + "/.dropzone-hold" }
    var known: Set<String> = []
    return all.filter { known.insert($0).inserted }
  }

  private func open(_ path: String, like identity: FileIdentity) throws(HoldError) -> Hold {
    do {
      let directory = try Directory(path, noFollow: true)
      let status = try directory.status()
      guard status.owner == effectiveUser() else {
        throw HoldError.trespass("'\(Escaping.escape(path))' belongs to user \(status.owner): remove it or set Hold=")
      }
      guard status.mode & 0o022 == 0 else {
        throw HoldError.trespass("others may write to '\(Escaping.escape(path))': make it mode 0700")
      }
      guard status.identity == identity else {
        throw HoldError.trespass("'\(Escaping.escape(path))' is not the directory it was")
      }
      return Hold(path: path, directory: directory, identity: status.identity)
    } catch let error as FileError {
      throw HoldError(path, error)
    } catch {
      throw error as? HoldError ?? HoldError(message: "\(error)", isTrespass: false)
    }
  }

  /// Makes the directory if it is missing, and renames a file of the zone into it.
  private static func prove(_ path: String, from root: Directory) -> Result<FileIdentity, HoldError> {
    let raw = RawPath(path)
    var isNew = false
    do throws(FileError) {
      do throws(FileError) {
        try Directory.working.makeDirectory(raw, mode: 0o700)
        isNew = true
      } catch  where error.errno == .exists {}
      let directory = try Directory(raw, noFollow: true)
      let status = try directory.status()
      guard status.owner == effectiveUser(), status.mode & 0o022 == 0 else {
        return .failure(
          .trespass(
            "'\(Escaping.escape(path))' is somebody else's, or others may write to it: remove it or set Hold="))
      }
      try root.proveRename(to: directory)
      return .success(status.identity)
    } catch {
      if isNew { try? Directory.working.removeDirectory(named: raw) }
      return .failure(HoldError(path, error))
    }
  }
}
