package import DropEngine
package import DropSystem
internal import Synchronization

/// Why no hold could be had.
package struct HoldError: Error, Sendable {
  package let message: String
  /// Nothing can be fixed by waiting less than a reload.
  package let isTrespass: Bool
}

/// A directory that claimed payloads wait in, out of their senders' reach.
package struct Hold: Sendable {
  package let path: String
  package let directory: OpenFile
  package let identity: FileIdentity
}

/// Finds the hold of a zone: the first place into which a file of the zone can be renamed.
///
/// Whether two places share a file system is found by doing it; equal device numbers prove nothing, bind mounts and
/// subvolumes have them too. Nothing stays open between uses: an open descriptor would keep a file system busy.
package final class HoldDirectories: Sendable {
  private let settings: ZoneSettings
  /// What was found before, by mount location; proved anew when it does not open.
  private let known = Mutex<[RawPath: (path: String, identity: FileIdentity)]>([:])

  package init(settings: ZoneSettings) {
    self.settings = settings
  }

  private let near = Mutex<[String: (box: FileIdentity, isNear: Bool)]>([:])

  /// Whether a rename from the hold into the box works; proved once for each, and only with a name in the hold.
  func isNear(_ hold: Hold, to box: OpenFile) -> Bool {
    guard let identity = try? FileStatus.read(at: box.number).identity else { return false }
    if let known = near.withLock({ $0[hold.path] }), known.box == identity { return known.isNear }
    do throws(Errno) {
      try Directory.proveRename(from: box.number, to: hold.directory.number)
      near.withLock { $0[hold.path] = (identity, true) }
      return true
    } catch {
      // Anything else may be otherwise next time.
      if error == .crossDevice { near.withLock { $0[hold.path] = (identity, false) } }
      return false
    }
  }

  /// Forgets what was found, because the mounts have changed.
  package func forget() {
    known.withLock { $0 = [:] }
    near.withLock { $0 = [:] }
  }

  /// The hold for payloads that lie in `root`, which is the zone's root or, at `mountLocation`, a mount below it.
  ///
  /// `others` are looked at in place of the usual candidates.
  package func hold(
    for root: OpenFile, at mountLocation: RawPath, candidates others: [String]? = nil
  ) throws(HoldError) -> Hold {
    if let (path, identity) = known.withLock({ $0[mountLocation] }) {
      if let hold = try? open(path, like: identity) { return hold }
      known.withLock { $0[mountLocation] = nil }
    }
    var reasons: [String] = []
    for path in others ?? candidates(mountLocation) {
      switch Self.prove(path, from: root) {
      case .success(let identity):
        let hold = try open(path, like: identity)
        known.withLock { $0[mountLocation] = (path, identity) }
        return hold
      case .failure(let error):
        if error.isTrespass { throw error }
        reasons.append(error.message)
      }
    }
    throw HoldError(message: "no place to hold payloads: " + reasons.joined(separator: "; "), isTrespass: false)
  }

  /// Where a hold may be, in the order in which it is looked for.
  package func candidates(_ mountLocation: RawPath = RawPath(bytes: [])) -> [String] {
    guard mountLocation.isEmpty else {
      // Paths of zones are text; a mount below one may be called anything, and then its own root is all there is.
      return mountLocation.string.map { [settings.path + "/" + $0 + "/.dropzone-hold"] } ?? []
    }
    if let hold = settings.hold { return [hold] }
    return [settings.box + ".hold", settings.path + ".hold", settings.path + "/.dropzone-hold"]
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

  private func open(_ path: String, like identity: FileIdentity?) throws(HoldError) -> Hold {
    do {
      let directory = try FileDescriptor.open(RawPath(path), [.pathOnly, .directory, .noFollow])
      let status = try FileStatus.read(at: directory.number)
      guard status.owner == effectiveUser() else {
        throw HoldError.trespass("'\(Escaping.escape(path))' belongs to user \(status.owner): remove it or set Hold=")
      }
      guard status.mode & 0o022 == 0 else {
        throw HoldError.trespass("others may write to '\(Escaping.escape(path))': make it mode 0700")
      }
      if let identity, status.identity != identity {
        throw HoldError.trespass("'\(Escaping.escape(path))' is not the directory it was")
      }
      return Hold(path: path, directory: OpenFile(directory), identity: status.identity)
    } catch {
      throw error as? HoldError ?? HoldError(message: "'\(Escaping.escape(path))': \(error)", isTrespass: false)
    }
  }

  /// Makes the directory where it is missing, and a file of the zone get there.
  private static func prove(_ path: String, from root: OpenFile) -> Result<FileIdentity, HoldError> {
    let raw = RawPath(path)
    var isNew = false
    do throws(Errno) {
      do throws(Errno) {
        try Directory.make(raw, in: FileDescriptor.workingDirectory, mode: 0o700)
        isNew = true
      } catch  where error == .exists {}
      let directory = try FileDescriptor.open(raw, [.pathOnly, .directory, .noFollow])
      let status = try FileStatus.read(at: directory.number)
      guard status.owner == effectiveUser(), status.mode & 0o022 == 0 else {
        return .failure(
          .trespass("'\(Escaping.escape(path))' is somebody else's, or others may write to it: remove it or set Hold="))
      }
      try Directory.proveRename(from: root.number, to: directory.number)
      return .success(status.identity)
    } catch {
      if isNew { try? Directory.removeEmpty(raw, in: FileDescriptor.workingDirectory) }
      return .failure(HoldError(message: "'\(Escaping.escape(path))': \(error)", isTrespass: false))
    }
  }
}

extension HoldError {
  static func trespass(_ message: String) -> HoldError { HoldError(message: message, isTrespass: true) }
}
