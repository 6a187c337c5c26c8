import DropEngine
import DropSystem

/// Which directories are watched.
extension DirectoryScanner {
  /// Watches a zone's root and scans the zone.
  func plant(_ zone: WatchedZone, _ root: OpenedDirectory) {
    let ground = makeGround(zone, root, RawPath(zone.settings.path))
    let id = tree.insert(
      DirectoryNode(
        on: ground, parent: nil, name: RawPath(bytes: []), identity: root.status.identity, depth: 0,
        isTemporary: false))
    zone.root.directory = id
    zones.touch(zone)
    watch(id, root.directory)
    scan(id, deep: true)
  }

  /// Takes a zone's tree down. Nothing was withdrawn: what turns up again goes on as what it was.
  func uproot(_ zone: WatchedZone) {
    guard let root = zone.root.directory else { return }
    zone.files.expectAll(zone.staging.origins, at: zones.time.now)
    zone.root.directory = nil
    let departed = zone.files.departed
    drop(root)
    zone.files.departed = departed
    zone.files.leaving = zone.files.leaving.mapValues { _ in nil }
  }

  /// Removes a directory and everything below it from the tree and from staging.
  ///
  /// - Parameter location: Where it was, if it is on its way to another name.
  func drop(_ id: Int32, at location: RawPath? = nil) {
    for (id, node, location) in tree.remove(id, at: location) {
      let zone = node.zone
      polls.remove(id)
      if let watch = node.watch { kernel.unwatch(watch) }
      zone.coverage.unwatched.remove(id)
      if zone.coverage.unlisted.remove(id) { zones.touch(zone) }
      for name in zone.staging.names(in: id) {
        inspector.lose(PayloadKey(directory: id, name: name), in: zone, location: location.appending(name))
      }
      for key in zone.staging.inFlight(in: id) { zone.files.leaving[key] = location.appending(key.name) }
    }
  }

  private func makeGround(_ zone: WatchedZone, _ directory: OpenedDirectory, _ path: RawPath) -> DirectoryGround {
    DirectoryGround(
      zone: zone, directory, at: places.fileSystem(directory.status.identity.device), path)
  }

  // MARK: - Subdirectories

  /// Watches a directory that was found, unless it is watched; then it is scanned.
  func take(_ found: FoundDirectory, at now: Duration) {
    let key = found.request.key
    guard let node = tree[key.directory] else { return }
    // A file that had the name is gone.
    if let payload = node.zone.staging[key], payload.status.kind != .directory { inspector.lose(key, in: node.zone) }
    guard node.zone.settings.recursive, !excluded.contains(found.status.identity) else { return }
    if let child = node.children[key.name] {
      if tree[child]?.isSame(as: found.status) == true { return }
      drop(child)
    }
    guard node.depth + 1 < PayloadInspector.deepest,
      tree.location(of: key).bytes.count <= PayloadInspector.longestLocation
    else { return list(key, found.status, "location-too-long", at: now) }
    switch found.extra {
    case .directory(.success(let opened)): enter(key, opened, node)
    case .directory(.failure(let error)): cannotEnter(key, found.status, error, at: now)
    case .none, .writers: inspector.inspect(key, [], .directory)
    }
  }

  private func enter(_ key: PayloadKey, _ opened: OpenedDirectory, _ node: DirectoryNode) {
    // The name may have passed to another directory since it was inspected.
    guard !excluded.contains(opened.status.identity) else { return }
    let ground =
      node.ground.contains(opened.status)
      ? node.ground
      : makeGround(node.zone, opened, RawPath(node.zone.settings.path).appending(tree.location(of: key)))
    let id = tree.insert(
      DirectoryNode(
        on: ground, parent: key.directory, name: key.name, identity: opened.status.identity, depth: node.depth + 1,
        isTemporary: node.nameKind(of: key.name).isTemporary))
    if node.zone.staging[key] != nil { inspector.lose(key, in: node.zone) }
    watch(id, opened.directory)
    scan(id, opened.directory)
  }

  private func cannotEnter(_ key: PayloadKey, _ status: FileStatus, _ error: Errno, at now: Duration) {
    guard !error.saysGone else { return }
    list(key, status, nil, at: now)
    guard error.isForbidden else {
      return inspector.answer(key, .retry("this directory cannot be opened: \(error)"), at: now)
    }
    let mode = String(status.mode, radix: 8)
    inspector.answer(
      key, .unreadable("this directory cannot be read by this daemon (mode \(mode), user \(status.owner))"), at: now)
  }

  /// Lists a directory that is not entered among the payloads.
  ///
  /// - Parameter detail: Why it never is; nil if it may be later.
  private func list(_ key: PayloadKey, _ status: FileStatus, _ detail: String?, at now: Duration) {
    guard let node = tree[key.directory] else { return }
    let zone = node.zone
    let isNew = zone.staging[key] == nil
    _ = zone.staging.see(
      key, status, detail.map { .special($0) } ?? .ordinary, evidence: node.kind.evidence, at: now,
      new: StagedPayload.Origin(id: zones.time.newID(), firstSeen: zones.time.wallTime))
    if isNew {
      log.warning(
        detail ?? "a directory cannot be read", zone: zone.name, id: nil, location: tree.location(of: key))
    }
    zones.touch(zone)
  }

  // MARK: - Watches

  /// Watches a directory; if there is no room for the watch, the directory is scanned instead.
  func watch(_ id: Int32, _ directory: Directory) {
    guard let node = tree[id] else { return }
    let zone = node.zone
    do throws(Errno) {
      let watch = try kernel.watch(directory)
      if let other = tree.id(ofWatch: watch), other != id {
        guard let moved = renames.takeDirectory(other) else {
          // The kernel answers with the watch that it has: it is the same directory by another way, such as a bind mount.
          log.warning(
            "is the same directory as another one: not entered", zone: zone.name, id: nil,
            location: tree.location(of: id))
          return
        }
        // A directory that is on its way has been found before the event of its arrival: it begins again here.
        tree.setWatch(nil, of: other)
        drop(other, at: moved.location)
      }
      tree.setWatch(watch, of: id)
      if zone.coverage.unwatched.remove(id) != nil { zones.touch(zone) }
    } catch {
      let isFirst = zone.coverage.unwatched.isEmpty
      zone.coverage.unwatched.insert(id)
      zones.touch(zone)
      if isFirst {
        log.warning(Self.message(for: error), zone: zone.name, id: nil, location: tree.location(of: id))
      }
    }
    schedulePoll(id, at: zones.time.now)
  }

  private static func message(for error: Errno) -> String {
    switch error {
    case .noSpace:
      "the limit of watches (fs.inotify.max_user_watches) is reached: what could not be watched is scanned"
    case .tooManyFiles:
      "the limit of inotify instances (fs.inotify.max_user_instances) is reached: what could not be watched is scanned"
    default: "cannot be watched: \(error); it is scanned"
    }
  }

  /// Schedules the next scan of a directory whose changes do not all raise events.
  func schedulePoll(_ id: Int32, at now: Duration) {
    guard let node = tree[id] else { return }
    if node.watch != nil, node.kind.raisesEvents {
      polls.remove(id)
    } else {
      polls.schedule(id, atMostEvery: node.zone.settings.staging.rescan, at: now)
    }
  }

  // MARK: - Directories that cannot be listed

  /// Notes that a directory could not be opened or listed.
  func cannotList(_ id: Int32, _ error: Errno, deep: Bool) {
    guard let node = tree[id] else { return }
    let zone = node.zone
    if error.saysGone {
      _ = zone.coverage.unlisted.remove(id)
      // The directory above knows what the way to this one leads to now.
      if let parent = node.parent { scan(parent, deep: false) } else { checkRoot(of: zone) }
      return
    }
    if error == .notConnected { node.ground.work.failure = error }
    let back = zone.coverage.unlisted.note(
      id, "\(error)", isForbidden: error.isForbidden, isDeep: deep,
      limit: min(.seconds(60), zone.settings.staging.rescan), at: zones.time.now)
    zones.touch(zone)
    guard let back else { return }
    log.warning(
      "cannot be listed, tried again in \(back.formatted): \(error)", zone: zone.name, id: nil,
      location: tree.location(of: id))
  }
}
