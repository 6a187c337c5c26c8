import DropEngine
import DropSystem

/// A zone is a path: what it leads to is looked at whenever it may have changed.
extension StagingArea {
  /// How often a zone that is not there is looked for.
  static let missingInterval = Duration.seconds(1)

  func enqueueRootCheck(_ name: String) {
    rootChecks.insert(name)
  }

  /// Opens the zone's root where it is not open, and lets go of one that is no longer what the path leads to.
  func checkRoot(of name: String, at now: Duration) {
    guard let zone = zones[name] else { return }
    do throws(RootTrouble) {
      let (directory, status, path) = try openRoot(zone)
      if let root = zone.root, tree[root]?.isSame(as: status) == true {
        zone.resolvedPath = path
        zone.isResolved = true
        setUnavailable(nil, of: name)
        return
      }
      forget(name)
      zones[name]?.resolvedPath = path
      zones[name]?.isResolved = true
      zones[name]?.unavailable = nil
      if status.isMountRoot { remember(zone.settings.path) }
      let ground = DirectoryGround(zone: name, status, kind: FileSystemKind(of: directory.number))
      let id = tree.insert(
        DirectoryNode(
          on: ground, parent: nil, name: RawPath(bytes: []), identity: status.identity, depth: 0, isTemporary: false))
      zones[name]?.root = id
      touch(name)
      watch(id, directory)
      enqueueScan(id, deep: true)
      setUnavailable(missingMount(of: zone), of: name)
    } catch {
      if !error.keepsRoot { forget(name) }
      setUnavailable(error.message, of: name)
    }
  }

  struct RootTrouble: Error {
    var message: String
    /// The tree stays watched: that it cannot be opened, such as for want of descriptors, says nothing about it.
    var keepsRoot = false
  }

  private func openRoot(_ zone: WatchedZone) throws(RootTrouble) -> (OpenFile, FileStatus, String) {
    let path = try resolve(zone)
    do {
      let directory = OpenFile(try FileDescriptor.open(RawPath(path), [.pathOnly, .directory, .noFollow]))
      let status = try FileStatus.read(at: directory.number)
      if mountPoints.contains(zone.settings.path), !status.isMountRoot {
        throw RootTrouble(message: "'\(Escaping.escape(path))' was a mount point and is none now")
      }
      if zone.settings.requireMount.contains(.zone), !status.isMountRoot {
        throw RootTrouble(message: "'\(Escaping.escape(path))' is no mount point, and RequireMount= wants one")
      }
      _ = try DirectoryReader(directory.number)
      return (directory, status, path)
    } catch {
      let message = "'\(Escaping.escape(path))': \(error)"
      throw error as? RootTrouble
        ?? RootTrouble(message: message, keepsRoot: (error as? Errno).map { !$0.saysGone } ?? false)
    }
  }

  /// Where the zone's path leads, unless that is elsewhere by now.
  private func resolve(_ zone: WatchedZone) throws(RootTrouble) -> String {
    let path = zone.settings.path
    // A path that leads nowhere is told about by who opens it.
    guard let found = realPath(path) else { return path }
    let isNewLink = !zone.isResolved && !zone.mayBeLink && isLink(path)
    if isNewLink || zone.isResolved && found != zone.resolvedPath {
      let before = zone.isResolved ? "led to '\(Escaping.escape(zone.resolvedPath))'" : "was no link"
      throw RootTrouble(
        message: "'\(Escaping.escape(path))' leads to '\(Escaping.escape(found))' now and \(before) when the zones were"
          + " read; a reload takes the new place")
    }
    return found
  }

  /// The places that must be mount points and are not.
  func missingMount(of zone: WatchedZone) -> String? {
    for (place, path) in [(ZoneSettings.Place.box, zone.settings.box), (.rejects, zone.settings.rejects)]
    where zone.settings.requireMount.contains(place) {
      guard let directory = try? Directory.open(path), let status = try? FileStatus.read(at: directory.number),
        status.isMountRoot
      else { return "the \(place.rawValue) '\(Escaping.escape(path))' is no mount point, and RequireMount= wants one" }
    }
    return nil
  }

  private func setUnavailable(_ reason: String?, of name: String) {
    guard let zone = zones[name] else { return }
    let reason = reason ?? missingMount(of: zone)
    // From now on and not from each turn: others that are busy would put it off for ever.
    if reason != nil { zones[name]?.nextFullScan = monotonicNow() + Self.missingInterval }
    if zone.unavailable != reason {
      zones[name]?.unavailable = reason
      if let reason {
        log.warning("unavailable: \(reason)", zone: name, id: nil, location: nil)
      } else {
        log.notice("available again", zone: name, id: nil, location: nil)
      }
      touch(name)
    }
    zones[name]?.staging.setBlocked(reason, at: monotonicNow())
    touched.insert(name)
  }

  private func remember(_ mountPoint: String) {
    let mountPoints = mountPoints
    Task { await mountPoints.remember(mountPoint) }
  }
}
