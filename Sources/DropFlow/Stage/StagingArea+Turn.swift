import DropEngine
import DropSystem

/// The end of every turn: what was seen is published, what is complete is released, the next deadline is set.
extension StagingArea {
  func deadlineReached() {
    let now = monotonicNow()
    var due: [String] = []
    while let entry = zoneDeadlines.pop(until: now) {
      if isCurrent(entry) { due.append(entry.key) }
    }
    inspectDue(in: due, at: now)
  }

  /// Looks at what is due in the named zones, some of it where it is much: the deadline of the rest is over too.
  func inspectDue(in names: [String], at now: Duration) {
    dropMoved(at: now)
    for name in names {
      guard let zone = zones[name] else { continue }
      zone.deadline = nil
      touched.insert(name)
      giveUpAsking(in: zone, at: now)
      for key in zone.staging.due(at: now, limit: Self.scanSlice) { dueKeys.append((name, key)) }
      listAgain(in: zone, at: now)
      if zone.nextFullScan <= now {
        zone.nextFullScan = now + zone.settings.staging.rescan
        checkRoot(of: name, at: now)
        // One that is unavailable is looked for every second, and only looked for.
        if zone.unavailable == nil, let root = zone.root { enqueueScan(root, deep: true) }
      }
    }
    var open: [Int32: OpenFile] = [:]
    for (name, key) in dueKeys {
      if let directory = directory(key.directory, &open) {
        inspect(at: key, in: directory, [], at: now)
      } else {
        answer(key, in: name, .retry("its directory cannot be opened"), at: now)
      }
    }
    dueKeys = []
    while let entry = pollDeadlines.pop(until: now) {
      guard isPollCurrent(entry) else { continue }
      tree[entry.key]?.nextScan = nil
      enqueueScan(entry.key, deep: false)
    }
    turn(at: now)
  }

  func turn(at now: Duration) {
    for name in rootChecks { checkRoot(of: name, at: now) }
    rootChecks = []
    touched.formUnion(liveZones)
    noteWithdrawn(at: now)
    publishTargeted(at: now)
    askPostponed(at: now)
    askForWriters(at: now)
    if !asks.isEmpty { askForWriters(at: now) }
    sendReleases(at: now)
    askAboutChanges(at: now)
    for name in touched { if let zone = zones[name] { followLight(of: zone, at: now) } }
    tellSessions()
    publish(at: now)
    answerWaiters()
    setDeadline(at: now)
    touched = touched.filter { zones[$0]?.gone.isEmpty == false }
  }

  /// Files that are gone from their names and nowhere else in the zone were withdrawn by their senders.
  private func noteWithdrawn(at now: Duration) {
    for name in touched.sorted() {
      guard let zone = zones[name], moving.isEmpty else { continue }
      let due = zone.gone.takeDue(at: now)
      if !due.isEmpty { touch(name) }
      let gone = due.filter {
        $0.payload.name == .ordinary && $0.payload.status.kind == .regular && !reappeared($0.location, in: name)
      }
      guard !gone.isEmpty else { continue }
      let renamed = zone.staging.present(of: Set(gone.map(\.payload.status.identity)))
      var records: [ReceiptRecord] = []
      for entry in gone where !renamed.contains(entry.payload.status.identity) {
        let (location, payload) = (entry.location, entry.payload)
        records.append(
          ReceiptRecord(
            id: payload.id, zone: name, location: location, bytes: payload.status.size,
            operation: zone.settings.delivery.operation, outcome: .withdrawn, evidence: nil, attempts: payload.attempts,
            firstSeen: payload.firstSeen, finished: wallNow(), inode: payload.status.identity.inode,
            birth: payload.status.identity.birth, modified: payload.status.modified, zonePath: zone.settings.path,
            boxPath: zone.settings.box, rejectsPath: zone.settings.rejects))
      }
      guard !records.isEmpty else { continue }
      for _ in records { zone.sessions.lose() }
      let added = records
      let changes: [LedgerChange] = added.map { .addReceipt($0) } + added.map { .removeAttempts(AttemptCount(of: $0)) }
      write(changes) { area in
        area.takeFinished(added, in: name)
      }
    }
  }

  /// Whether the name has a file again: the sender replaced it, which is the same drop.
  private func reappeared(_ location: RawPath, in name: String) -> Bool {
    guard let root = zones[name]?.root, let id = tree.find(location.parent, from: root) else { return false }
    return zones[name]?.staging[PayloadKey(directory: id, name: location.lastComponent)] != nil
  }

  func release(_ key: PayloadKey, in name: String, _ file: OpenFile?) {
    guard let zone = zones[name], let payload = zone.staging.released(key) else { return }
    let marker = zone.settings.staging.marker.map { RawPath(bytes: key.name.bytes + $0.utf8) }
    if payload.attempts > 0, payload.waiting.isArriving || payload.waiting == .notYet {
      zones[name]?.askedAgain.insert(payload.id)
    }
    releases[name, default: []].append(
      Release(
        key: key, payload: payload, location: location(of: key), marker: marker,
        mountLocation: mountLocation(of: key.directory), unsyncedBytes: zone.staging.bytes,
        file: file,
        session: session(ofReleased: payload.id, in: zone, at: monotonicNow()),
        operation: zone.settings.delivery.operation))
    touch(name)
  }

  /// Where the mount, or the subvolume, that a directory lies on begins, below the zone; empty for the zone's own.
  private func mountLocation(of id: Int32) -> RawPath {
    guard let node = tree[id], let zone = zones[node.zone], let root = zone.root, let top = tree[root],
      !node.ground.isSame(as: top.ground)
    else { return RawPath(bytes: []) }
    var first = id
    while let parent = tree[first]?.parent, tree[parent]?.ground.isSame(as: node.ground) == true { first = parent }
    return tree.location(of: first)
  }

  private func setDeadline(at now: Duration) {
    for name in touched {
      guard let zone = zones[name] else { continue }
      let deadline = deadline(of: zone, at: now)
      guard zone.deadline != deadline else { continue }
      zone.deadline = deadline
      zone.deadlineStamp &+= 1
      zoneDeadlines.push(deadline, name, zone.deadlineStamp)
    }
    if zoneDeadlines.count > 4 * zones.count + 64 { zoneDeadlines.keep(isCurrent) }
    var next = zoneDeadlines.first(where: isCurrent)
    func consider(_ deadline: Duration?) {
      if let deadline { next = next.map { min($0, deadline) } ?? deadline }
    }
    consider(pollDeadlines.first(where: isPollCurrent))
    consider(nextMoveCheck)
    loop.setDeadline(next)
  }

  private func isCurrent(_ entry: DeadlineHeap<String>.Entry) -> Bool {
    zones[entry.key].map { $0.deadlineStamp == entry.stamp && $0.deadline != nil } ?? false
  }

  private func deadline(of zone: WatchedZone, at now: Duration) -> Duration {
    var next = zone.nextFullScan
    func consider(_ deadline: Duration?) {
      if let deadline { next = min(next, deadline) }
    }
    consider(zone.staging.nextDeadline)
    consider(zone.gone.deadline)
    if zone.isDirty, !subscribers.isEmpty { consider(zone.nextPublish) }
    for unlisted in zone.unlisted.values { consider(unlisted.next) }
    consider(zone.live?.deadline)
    if let live = zone.live, !live.changed.isEmpty { consider(live.nextRound) }
    return next
  }
}
