import DropEngine
import DropSystem

/// Opens the roots of zones: a zone is a path, and where it leads is checked whenever that may have changed.
final class ZoneRoots {
  /// How often a zone that is unavailable is looked for.
  private static let missingInterval = Duration.seconds(1)

  private let zones: ZoneRegistry
  private let tree: DirectoryTree
  private let scanner: DirectoryScanner
  private let mountPoints: MountPoints
  private let log: any FlowLog

  init(
    zones: ZoneRegistry, tree: DirectoryTree, scanner: DirectoryScanner, mountPoints: MountPoints, log: any FlowLog
  ) {
    self.zones = zones
    self.tree = tree
    self.scanner = scanner
    self.mountPoints = mountPoints
    self.log = log
  }

  /// Checks the roots that something was said about.
  func checkRequested(at now: Duration) {
    for zone in zones.changed where zone.root.needsCheck { check(zone, at: now) }
  }

  /// Opens a zone's root if it is not open, and lets go of one that is no longer where the path leads.
  func check(_ zone: WatchedZone, at now: Duration) {
    zone.root.needsCheck = false
    let check = RootCheck(
      declared: zone.settings.path, resolved: zone.root.isResolved ? zone.root.path : nil,
      mayBeLink: zone.root.mayBeLink, isMountPoint: mountPoints.contains(zone.settings.path),
      requiredMounts: zone.requiredMounts)
    take(check.run(), zone, at: now)
  }

  private func take(_ result: RootCheck.Result, _ zone: WatchedZone, at now: Duration) {
    switch result {
    case .opened(let root, let path, let missingMount):
      zone.root.resolve(to: path)
      let isWatched = zone.root.directory.map { tree[$0]?.isSame(as: root.status) == true } ?? false
      if !isWatched {
        scanner.uproot(zone)
        zone.root.unavailable = nil
        if root.status.isMountRoot { remember(zone.settings.path) }
        scanner.plant(zone, root)
      }
      setUnavailable(missingMount, zone, at: now)
    case .failed(let message, let keepsTree):
      if !keepsTree { scanner.uproot(zone) }
      setUnavailable(message, zone, at: now)
    }
  }

  private func setUnavailable(_ reason: String?, _ zone: WatchedZone, at now: Duration) {
    // From now on and not from each turn: other zones that are busy would put it off for ever.
    if reason != nil { zone.schedule.nextFullScan = monotonicNow() + Self.missingInterval }
    if zone.root.unavailable != reason {
      zone.root.unavailable = reason
      if let reason {
        log.warning("unavailable: \(reason)", zone: zone.name, id: nil, location: nil)
      } else {
        log.notice("available again", zone: zone.name, id: nil, location: nil)
      }
      zones.touch(zone)
    }
    zone.staging.setBlocked(reason, at: now)
    zones.attend(to: zone)
  }

  private func remember(_ mountPoint: String) {
    let mountPoints = mountPoints
    Task { await mountPoints.remember(mountPoint) }
  }
}

extension WatchedZone {
  /// The places that must be mount points, beside the zone itself.
  fileprivate var requiredMounts: [(place: ZoneSettings.Place, path: String)] {
    [(ZoneSettings.Place.zone, settings.path), (.box, settings.box), (.rejects, settings.rejects)]
      .filter { settings.requireMount.contains($0.0) }
  }
}
