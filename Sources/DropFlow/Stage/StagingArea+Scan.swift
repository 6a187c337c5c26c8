import DropEngine
import DropSystem

/// Scans: the truth about a directory, in slices, so that a big one holds nobody up.
extension StagingArea {
  func enqueueScan(_ id: Int32, deep: Bool) {
    if let known = queued[id] {
      queued[id] = known || deep
    } else {
      queued[id] = deep
      scanQueue.append(id)
    }
    guard !isScanning else { return }
    isScanning = true
    Task { await self.scanAll() }
  }

  private func scanAll() async {
    var next = 0
    while next < scanQueue.count {
      let id = scanQueue[next]
      next += 1
      if next > 4096 {
        scanQueue.removeFirst(next)
        next = 0
      }
      let deep = queued.removeValue(forKey: id) ?? false
      if tree[id] != nil { await scan(id, nil, deep: deep) }
      await endSlice(!touched.isEmpty)
    }
    scanQueue = []
    queued = [:]
    isScanning = false
    for waiter in scanWaiters { waiter.resume() }
    scanWaiters = []
    // One that is not there has not been scanned: what lies in it still comes from before.
    let now = monotonicNow()
    for name in order {
      guard let zone = zones[name], zone.root != nil, zone.unavailable == nil else { continue }
      zone.isAfterCrash = false
      // What has not reappeared by now does not.
      let longest = zone.settings.staging.rescan
      guard zone.unlisted.isEmpty else { continue }
      zone.origins = zone.origins.filter { $0.value.since + longest > now }
      forgetEarlier(zone)
    }
    turn(at: now)
  }

  /// Forgets attempts of files that have gone while nobody could see it.
  private func forgetEarlier(_ zone: WatchedZone) {
    guard !zone.earlier.isEmpty else { return }
    let gone = zone.earlier.values
    zone.earlier = [:]
    write(gone.map { .removeAttempts($0) })
  }

  /// Lets others go on after every so many names, in whatever directories.
  private func endSlice(_ isWanted: Bool = false) async {
    scannedInSlice += 1
    guard isWanted || scannedInSlice >= Self.scanSlice else { return }
    scannedInSlice = 0
    turn(at: monotonicNow())
    await loop.turn()
  }

  /// `opened` is the directory, if it was opened for reading when it was found and nothing has been read of it. What is
  /// found new in it is scanned at once, while it is open.
  private func scan(_ id: Int32, _ opened: OpenFile?, deep: Bool) async {
    let directory: OpenFile
    do throws(Errno) {
      directory = if let opened { opened } else { try open(id) }
    } catch {
      cannotList(id, error, deep: deep)
      return
    }
    isListing(id)
    // To open one costs about as much as to look at a few names.
    scannedInSlice += 4
    scanGeneration += 1
    let generation = scanGeneration
    if tree[id]?.watch == nil { watch(id, directory) }
    var seen: Set<RawPath> = []
    do throws(Errno) {
      var reader =
        if let opened { DirectoryReader(unread: opened.descriptor) } else { try DirectoryReader(directory.number) }
      while let name = try reader.next() {
        let key = PayloadKey(directory: id, name: name)
        if kind(of: name, in: id) != .junk {
          if reader.isDirectory, isNewDirectory(key) {
            if let new = enter(key, nil, directory, at: monotonicNow()) {
              seen.insert(name)
              await scan(new.id, new.directory, deep: true)
            }
          } else {
            inspect(at: key, in: directory, [], generation: generation, at: monotonicNow())
            if let child = tree[id]?.children[name] {
              seen.insert(name)
              if deep { enqueueScan(child, deep: true) }
            }
          }
        }
        await endSlice()
        guard tree[id] != nil else { return }
      }
    } catch {
      cannotList(id, error, deep: deep)
      return
    }
    hasListed(id)
    forgetUnseen(id, directory, seen, generation)
  }

  /// Whether a name is to be entered that nothing is known of yet.
  private func isNewDirectory(_ key: PayloadKey) -> Bool {
    guard let node = tree[key.directory], let zone = zones[node.zone] else { return false }
    return zone.settings.recursive && node.children[key.name] == nil && zone.staging[key] == nil
  }

  /// What was known and not met is looked at by itself before it counts as gone.
  private func forgetUnseen(_ id: Int32, _ directory: OpenFile, _ seen: Set<RawPath>, _ generation: UInt64) {
    guard let node = tree[id] else { return }
    let now = monotonicNow()
    for name in zones[node.zone]?.staging.names(in: id) ?? [] {
      let key = PayloadKey(directory: id, name: name)
      guard let payload = zones[node.zone]?.staging[key], payload.generation < generation else { continue }
      inspect(at: key, in: directory, [], generation: generation, at: now)
    }
    for (name, child) in node.children where !seen.contains(name) {
      guard let status = try? FileStatus.read(at: name, in: directory.number), tree[child]?.isSame(as: status) == true
      else {
        drop(child)
        continue
      }
    }
    if let zone = zones[node.zone], !zone.taken.isEmpty {
      let location = tree.location(of: id)
      for name in zone.taken.names(in: location) where (try? FileStatus.read(at: name, in: directory.number)) == nil {
        // One that is about to appear is not gone.
        if zone.taken[location.appending(name)]?.changed == 0 { continue }
        forgetTaken(location.appending(name), in: node.zone)
      }
    }
    schedulePoll(id, at: now)
  }

  // MARK: - Directories

  /// A subdirectory that a look found: watched first, then scanned.
  func inspectDirectory(_ key: PayloadKey, _ status: FileStatus, _ parent: OpenFile, at now: Duration) {
    guard let node = tree[key.directory], let zone = zones[node.zone], zone.settings.recursive else { return }
    if excluded.contains(status.identity) { return }
    if let child = node.children[key.name] {
      if tree[child]?.isSame(as: status) == true { return }
      drop(child)
    }
    if let new = enter(key, status, parent, at: now) { enqueueScan(new.id, deep: true) }
  }

  /// Opens and watches a directory that is new, and is to be scanned; `sight` is what a look at its name found, where
  /// there was one.
  private func enter(
    _ key: PayloadKey, _ status: FileStatus?, _ parent: OpenFile, at now: Duration
  ) -> (id: Int32, directory: OpenFile)? {
    guard let node = tree[key.directory], let zone = zones[node.zone] else { return nil }
    let location = self.location(of: key)
    if node.depth + 1 >= Self.deepest || location.bytes.count > Self.longestLocation {
      if let status = status ?? (try? FileStatus.read(at: key.name, in: parent.number)) {
        special(key, status, "location-too-long", at: now)
      }
      return nil
    }
    do throws(Errno) {
      // Opened for reading, it may be listed; looked at by a name in it, it may be entered.
      let directory = OpenFile(
        try FileDescriptor.open(key.name, in: parent.number, [.readOnly, .directory, .noFollow]))
      let inside = try FileStatus.read(at: ".", in: directory.number)
      guard !excluded.contains(inside.identity) else { return nil }
      let isTemporary = node.isTemporary || kind(of: key.name, in: key.directory).isTemporary
      let ground =
        inside.mount == node.mount && inside.identity.device == node.identity.device
        ? node.ground : DirectoryGround(zone: node.zone, inside, kind: FileSystemKind(of: directory.number))
      let id = tree.insert(
        DirectoryNode(
          on: ground, parent: key.directory, name: key.name, identity: inside.identity, depth: node.depth + 1,
          isTemporary: isTemporary))
      if zone.staging[key] != nil { lose(key, in: node.zone, location: nil) }
      watch(id, directory)
      return (id, directory)
    } catch {
      guard !error.saysGone, let status = status ?? (try? FileStatus.read(at: key.name, in: parent.number)) else {
        return nil
      }
      special(key, status, "", at: now)
      guard error == .access || error == .notPermitted else {
        answer(key, in: node.zone, .retry("this directory cannot be opened: \(error)"), at: now)
        return nil
      }
      let detail =
        "this directory cannot be read by this daemon (mode \(String(status.mode, radix: 8)), user \(status.owner))"
      answer(key, in: node.zone, .unreadable(detail), at: now)
      return nil
    }
  }

  /// Lists something that is no payload.
  private func special(_ key: PayloadKey, _ status: FileStatus, _ detail: String, at now: Duration) {
    guard let node = tree[key.directory] else { return }
    let isNew = zones[node.zone]?.staging[key] == nil
    _ = zones[node.zone]?.staging.see(
      key, status, detail.isEmpty ? .ordinary : .special(detail), evidence: node.kind.evidence, at: now,
      new: StagedPayload.Origin(id: newDropID(), firstSeen: wallNow()))
    if isNew {
      log.warning(
        detail.isEmpty ? "a directory cannot be read" : detail, zone: node.zone, id: nil,
        location: location(of: key))
    }
    touch(node.zone)
  }

  /// Watches a directory; where there is no room for the watch it is scanned instead.
  func watch(_ id: Int32, _ directory: OpenFile) {
    guard let node = tree[id] else { return }
    do throws(Errno) {
      try tryToListen()
      guard let watch = try watcher?.watch(directory.descriptor) else { throw .tooManyFiles }
      if let other = tree.id(ofWatch: watch), other != id,
        let (cookie, entry) = moving.first(where: { $0.value.id == other })
      {
        // A directory that is on its way has arrived before its event: what is known of it starts anew here.
        moving[cookie] = nil
        tree.setWatch(nil, of: other)
        drop(other, at: entry.location)
      } else if let other = tree.id(ofWatch: watch), other != id {
        // The kernel answers with the watch it has: the same directory under a second way, such as a bind mount.
        log.warning(
          "is the same directory as another one: not entered", zone: node.zone, id: nil, location: tree.location(of: id)
        )
        return
      }
      tree.setWatch(watch, of: id)
      if zones[node.zone]?.unwatched.remove(id) != nil { touch(node.zone) }
    } catch {
      let isFirst = zones[node.zone]?.unwatched.isEmpty ?? false
      zones[node.zone]?.unwatched.insert(id)
      touch(node.zone)
      if isFirst {
        log.warning(Self.why(error), zone: node.zone, id: nil, location: tree.location(of: id))
      }
    }
    schedulePoll(id, at: monotonicNow())
  }

  private static func why(_ error: Errno) -> String {
    switch error {
    case .noSpace:
      "the limit of watches (fs.inotify.max_user_watches) is reached: what could not be watched is scanned"
    case .tooManyFiles:
      "the limit of inotify instances (fs.inotify.max_user_instances) is reached: what could not be watched is scanned"
    default: "cannot be watched: \(error); it is scanned"
    }
  }

  /// Where events do not tell all, the directory is scanned again: soon after activity, later when there is none.
  func schedulePoll(_ id: Int32, at now: Duration) {
    guard let node = tree[id] else { return }
    guard node.watch == nil || !node.kind.raisesEvents else {
      polled.remove(id)
      tree[id]?.nextScan = nil
      return
    }
    polled.insert(id)
    let longest = zones[node.zone]?.settings.staging.rescan ?? .seconds(300)
    setPoll(of: id, at: now + min(node.scanInterval, longest))
    tree[id]?.scanInterval = min(node.scanInterval * 2, longest)
  }

  /// Something new has turned up in a directory: it is scanned soon again, where scanning is all there is.
  func activity(in id: Int32, at now: Duration) {
    guard polled.contains(id) else { return }
    tree[id]?.scanInterval = .seconds(5)
    setPoll(of: id, at: now + .seconds(5))
  }

  private func setPoll(of id: Int32, at moment: Duration) {
    tree[id]?.nextScan = moment
    pollDeadlines.push(moment, id, 0)
    if pollDeadlines.count > 4 * polled.count + 64 { pollDeadlines.keep(isPollCurrent) }
  }

  func isPollCurrent(_ entry: DeadlineHeap<Int32>.Entry) -> Bool {
    polled.contains(entry.key) && tree[entry.key]?.nextScan == entry.deadline
  }
}
