import DropEngine
import DropSystem

/// Checks the roots of zones: a zone is a path, and where it leads is checked whenever that may have changed.
///
/// Also decides whether a zone can be used: because of its root, and of the places that it depends on.
final class ZoneRoots {
  /// How often a zone that is unavailable is looked for.
  private static let missingInterval = Duration.seconds(1)

  private let zones: ZoneRegistry
  private let tree: DirectoryTree
  private let places: FileSystemQueues
  private let scanner: DirectoryScanner
  private let mountPoints: MountPoints
  private let log: any FlowLog

  init(
    zones: ZoneRegistry, tree: DirectoryTree, places: FileSystemQueues, scanner: DirectoryScanner,
    mountPoints: MountPoints,
    log: any FlowLog
  ) {
    self.zones = zones
    self.tree = tree
    self.places = places
    self.scanner = scanner
    self.mountPoints = mountPoints
    self.log = log
  }

  // MARK: - Checks

  /// What a check of a zone's root has to ask; nil if one is under way.
  ///
  /// - Parameter isAnother: Begins another check although one hangs, because the path may lead elsewhere by now.
  func nextCheck(of zone: WatchedZone, isAnother: Bool = false) -> RootCheck? {
    zone.root.needsCheck = false
    guard zone.root.place.call == nil || isAnother && zone.root.place.isSilent else { return nil }
    let settings = zone.settings
    let mounts = [(ZoneSettings.Place.zone, settings.path), (.box, settings.box), (.rejects, settings.rejects)]
    return RootCheck(
      declared: settings.path, resolved: zone.root.isResolved ? zone.root.path : nil, wasLink: zone.root.wasLink,
      isMountPoint: mountPoints.contains(settings.path),
      requiredMounts: mounts.filter { settings.requireMount.contains($0.0) })
  }

  func take(_ result: RootCheck.Result, _ zone: WatchedZone, at now: Duration) {
    zone.root.wasLink = result.wasLink
    switch result.outcome {
    case .opened(let root, let path, let missingMount):
      zone.root.resolve(to: path)
      updateMounts(of: zone)
      let isWatched = zone.root.directory.map { tree[$0]?.isSame(as: root.status) == true } ?? false
      if !isWatched {
        scanner.uproot(zone)
        if root.status.isMountRoot { remember(zone.settings.path) }
        scanner.plant(zone, root)
      }
      zone.root.failure = missingMount
    case .failed(let message, let keepsTree):
      if !keepsTree { scanner.uproot(zone) }
      zone.root.failure = message
    }
    updateAvailability(of: zone, at: now)
    if zone.root.unavailable != nil { zone.schedule.nextFullScan = now + Self.missingInterval }
  }

  private func remember(_ mountPoint: String) {
    let mountPoints = mountPoints
    Task { await mountPoints.remember(mountPoint) }
  }

  /// Has names on which something is mounted inspected where only that is waited for.
  func updateMounts(of zone: WatchedZone) {
    let root = RawPath(zone.root.path)
    let start = root.bytes + [.slash]
    let locations = Set(
      places.mountPoints.filter { $0.bytes.starts(with: start) }
        .map { RawPath(bytes: Array($0.bytes.dropFirst(start.count))) })
    for (location, work) in zone.coverage.mounts where !locations.contains(location) {
      work.close()
      zone.coverage.mounts[location] = nil
    }
    for location in locations where zone.coverage.mounts[location] == nil {
      zone.coverage.mounts[location] = FileSystemWork(
        for: zone, at: places.make(), RawPath(zone.settings.path).appending(location))
    }
  }

  // MARK: - Availability

  /// Says whether a zone can be used now, and why not.
  func updateAvailability(of zone: WatchedZone, at now: Duration) {
    let reason = silence(of: zone) ?? disconnection(of: zone) ?? zone.root.failure
    guard zone.root.unavailable != reason else { return }
    zone.root.unavailable = reason
    zone.staging.setBlocked(reason, at: now)
    zones.touch(zone)
    if let reason {
      log.warning("unavailable: \(reason)", zone: zone.name, id: nil, location: nil)
      zone.schedule.nextFullScan = now + Self.missingInterval
    } else {
      log.notice("available again", zone: zone.name, id: nil, location: nil)
      scanner.scan(zone)
    }
  }

  /// Which of the zone's places does not answer.
  private func silence(of zone: WatchedZone) -> String? {
    let silent =
      zone.root.place.silentPath ?? zone.coverage.works.first { $0.place.isSilent }?.path
      ?? zone.coverage.probed.lazy.compactMap(\.place.silentPath).first
    return silent.map { "'\($0)' has not answered for \(FileSystemQueue.patience.components.seconds) s" }
  }

  /// Which of the zone's file systems has lost its server.
  private func disconnection(of zone: WatchedZone) -> String? {
    for work in zone.coverage.works {
      if let failure = work.failure { return "'\(work.path)': \(failure)" }
    }
    return nil
  }
}

extension FileSystemQueue {
  /// What a silent place was asked.
  fileprivate var silentPath: RawPath? { isSilent ? call?.asked : nil }
}
