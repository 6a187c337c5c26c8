import DropEngine
import DropSystem

/// What the kernel says, folded by name: a name is looked at once a batch.
extension StagingArea {
  /// The kernel's queue has as many places, as a rule.
  private static let eventsLimit = 16_384

  func eventsArrived() {
    let now = monotonicNow()
    readEvents(at: now)
    turn(at: now)
  }

  /// Reads what is there, and looks at the names it is about. Of very much the rest is read when others had their turn.
  func readEvents(at now: Duration) {
    var events: [WatchEvent] = []
    let isDrained = watcher?.drain(limit: Self.eventsLimit) { events.append($0) } ?? true
    defer { endOfEvents(isDrained: isDrained, at: now) }
    guard !events.isEmpty else { return }
    var touched: [PayloadKey: StagingHint] = [:]
    var order: [PayloadKey] = []
    for event in events {
      if event.kinds.contains(.overflow) {
        eventsLost()
      } else if let id = tree.id(ofWatch: event.watch) {
        if event.name.isEmpty {
          directoryItself(id, event, at: now)
        } else if event.kinds.contains(.directory) {
          subdirectory(event, in: id, at: now)
        } else {
          let key = PayloadKey(directory: id, name: event.name)
          let hint = fileHint(event, key, at: now)
          if event.isDeparture, touched[key] == nil, !isStaged(key) { continue }
          if touched.updateValue((touched[key] ?? []).union(hint), forKey: key) == nil { order.append(key) }
        }
      }
    }
    inspect(at: order.map { ($0, touched[$0] ?? []) }, at: now)
  }

  private func endOfEvents(isDrained: Bool, at now: Duration) {
    // The kernel says the two halves of a rename one after the other: between them it may look as if all had been read.
    if !movedFiles.isEmpty { movedFiles = movedFiles.filter { $0.value.since + GonePayloads.grace > now } }
    guard !isDrained, !isReadingOn else { return }
    isReadingOn = true
    loop.perform {
      self.assumeIsolated {
        $0.isReadingOn = false
        $0.eventsArrived()
      }
    }
  }

  /// Whether there is something to forget about a name. Every claim raises an event for one where there is not.
  private func isStaged(_ key: PayloadKey) -> Bool {
    guard let node = tree[key.directory] else { return false }
    return zones[node.zone]?.staging[key] != nil
  }

  private func eventsLost() {
    overflows += 1
    log.notice("events were lost, everything is looked at", zone: "", id: nil, location: nil)
    for name in order {
      if let root = zones[name]?.root { enqueueScan(root, deep: true) }
    }
  }

  private func directoryItself(_ id: Int32, _ event: WatchEvent, at now: Duration) {
    guard let node = tree[id] else { return }
    if event.kinds.contains(.ended) {
      tree.setWatch(nil, of: id)
      if let parent = node.parent { enqueueScan(parent, deep: false) }
    }
    let isGoing = !event.kinds.isDisjoint(with: [.deletedSelf, .movedSelf, .unmounted, .ended])
    if isGoing, node.parent == nil { checkRoot(of: node.zone, at: now) }
  }

  private func subdirectory(_ event: WatchEvent, in parent: Int32, at now: Duration) {
    guard let node = tree[parent] else { return }
    let key = PayloadKey(directory: parent, name: event.name)
    if event.kinds.contains(.movedFrom) {
      if let child = node.children[event.name] {
        moving[event.cookie] = (child, node.zone, tree.location(of: child), now)
        tree.detach(child)
      }
    } else if event.kinds.contains(.movedTo), let (child, zone, _, _) = moving.removeValue(forKey: event.cookie),
      zone == node.zone, zones[zone]?.settings.recursive == true, kind(of: event.name, in: parent) != .junk
    {
      if let old = node.children[event.name] { drop(old) }
      let isTemporary = node.isTemporary || kind(of: event.name, in: parent).isTemporary
      tree.attach(child, to: parent, as: event.name, isTemporary: isTemporary)
      enqueueScan(child, deep: true)
    } else if event.kinds.contains(.deleted) {
      if let child = node.children[event.name] { drop(child) }
      inspect(at: [(key, [])], at: now)
    } else {
      inspect(at: [(key, [])], at: now)
    }
  }

  private func fileHint(_ event: WatchEvent, _ key: PayloadKey, at now: Duration) -> StagingHint {
    guard let node = tree[key.directory] else { return [] }
    var hint: StagingHint = []
    if !event.kinds.isDisjoint(with: [.created, .modified]) { hint.insert(.written) }
    if event.kinds.contains(.closedAfterWrite) { hint.insert(.closed) }
    if event.kinds.contains(.movedFrom), kind(of: key.name, in: key.directory).renamesFailures {
      movedFiles[event.cookie] = (node.zone, now)
    }
    if event.kinds.contains(.movedTo) {
      hint.insert(.renamed)
      if movedFiles.removeValue(forKey: event.cookie)?.zone == node.zone { hint.insert(.fromUntrusted) }
    }
    return hint
  }

  /// Directories that left a name and did not come back under another are gone.
  func dropMoved(at now: Duration) {
    for (cookie, entry) in moving where entry.since + GonePayloads.grace <= now {
      moving[cookie] = nil
      drop(entry.id, at: entry.location)
    }
  }

  var nextMoveCheck: Duration? {
    moving.values.map { $0.since + GonePayloads.grace }.min()
  }

  /// What a name says, with what the directories above it say.
  func kind(of name: RawPath, in directory: Int32) -> NameKind {
    guard let node = tree[directory], let zone = zones[node.zone] else { return .junk }
    let own = zone.plan.lists.kind(of: name)
    if own == .ordinary, node.isTemporary { return .temporary(renamesFailures: false) }
    return own
  }
}

extension WatchEvent {
  /// It says that a name is free, and nothing else.
  fileprivate var isDeparture: Bool { kinds == .movedFrom || kinds == .deleted }
}
