import DropEngine
import DropSystem

/// Looking at names, which is what decides.
extension StagingArea {
  /// Looks at each name once; directories are opened once for all names in them.
  func inspect(at names: [(key: PayloadKey, hint: StagingHint)], generation: UInt64 = 0, at now: Duration) {
    var open: [Int32: OpenFile] = [:]
    for (key, hint) in names {
      guard let directory = directory(key.directory, &open) else { continue }
      inspect(at: key, in: directory, hint, generation: generation, at: now)
    }
  }

  /// Opens a watched directory by the way that leads to it now; nil when that cannot be done, or leads elsewhere.
  func directory(_ id: Int32, _ open: inout [Int32: OpenFile]) -> OpenFile? {
    if let known = open[id] { return known }
    do throws(Errno) {
      let file = try self.open(id)
      open[id] = file
      return file
    } catch {
      // What an event said of a name in it is found by the scan that is due then.
      cannotList(id, error, deep: false)
      return nil
    }
  }

  /// The same, with the reason why not.
  func open(_ id: Int32) throws(Errno) -> OpenFile {
    guard let node = tree[id], let zone = zones[node.zone] else { throw .noEntry }
    let root = try FileDescriptor.open(RawPath(zone.resolvedPath), [.pathOnly, .directory, .noFollow])
    let file = OpenFile(
      node.parent == nil
        ? root : try FileDescriptor.open(beneath: root.number, tree.location(of: id), [.pathOnly, .directory]))
    guard try node.isSame(as: FileStatus.read(at: file.number)) else { throw .stale }
    return file
  }

  func inspect(
    at key: PayloadKey, in directory: OpenFile, _ hint: StagingHint, generation: UInt64 = 0, at now: Duration
  ) {
    guard let node = tree[key.directory], let zone = zones[node.zone] else { return }
    let name = kind(of: key.name, in: key.directory)
    if name == .junk {
      lose(key, in: node.zone, location: nil)
      return
    }
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus.read(at: key.name, in: directory.number, fresh: node.kind.evidence == .scans)
    } catch {
      if error == .noEntry {
        if hint.contains(.renamed) { zone.gone.missRename(at: now) }
        lose(key, in: node.zone, location: nil)
      } else if zone.staging[key] != nil {
        answer(key, in: node.zone, .retry("it cannot be looked at: \(error)"), at: now)
      } else if error.isPassing {
        // Nothing is known of it that could be looked at again.
        cannotList(key.directory, error, deep: false)
      }
      return
    }
    if status.kind == .directory {
      inspectDirectory(key, status, directory, at: now)
    } else {
      see(key, status, name, hint, generation, at: now)
    }
  }

  private func see(
    _ key: PayloadKey, _ status: FileStatus, _ name: NameKind, _ hint: StagingHint, _ generation: UInt64,
    at now: Duration
  ) {
    guard let node = tree[key.directory], let zone = zones[node.zone] else { return }
    let location = self.location(of: key)
    guard let kind = payloadKind(key, status, name, node, zone, location) else {
      lose(key, in: node.zone, location: nil)
      return
    }
    if kind == .ordinary, zone.staging[key] == nil, isTaken(location, status, in: node.zone) { return }
    var hint = hint
    if zone.isAfterCrash { hint.insert(.afterCrash) }
    let known = zone.staging[key]
    let isNew = known == nil && !zone.staging.isInFlight(key, status.identity)
    let origin = origin(of: status, in: zone)
    let next = zones[node.zone]?.staging.see(
      key, status, kind, evidence: node.kind.evidence, hint: hint, generation: generation, at: now,
      new: origin ?? StagedPayload.Origin(id: newDropID(), firstSeen: wallNow()))
    touch(node.zone)
    if isNew || known.map({ !status.isUnchanged(since: $0.status) }) ?? false { changed(key, in: zone) }
    if isNew {
      activity(in: key.directory, at: now)
      if let file = announced(by: key, in: zone) { reconsider(file, in: node.zone, at: now) }
    }
    if next == .ask { asks.append((node.zone, key)) }
  }

  /// What kind of payload a name and a look make; nil for what is left alone.
  private func payloadKind(
    _ key: PayloadKey, _ status: FileStatus, _ name: NameKind, _ node: DirectoryNode, _ zone: WatchedZone,
    _ location: RawPath
  ) -> PayloadKind? {
    if node.depth >= Self.deepest || location.bytes.count > Self.longestLocation {
      return .special("location-too-long")
    }
    guard status.kind == .regular else { return .special("a \(status.kind.rawValue) is never opened") }
    if case .temporary(let renames) = name { return .temporary(renamesFailures: renames) }
    if let file = announced(by: key, in: zone) {
      let isTaken = zone.taken[location.parent.appending(file.name)] != nil
      return isTaken && zone.staging[file] == nil ? .special("its file was taken") : .marker
    }
    return zone.plan.wants(key.name) ? .ordinary : nil
  }

  /// The file that a name announces, where it is a marker's.
  private func announced(by key: PayloadKey, in zone: WatchedZone) -> PayloadKey? {
    guard let marker = zone.settings.staging.marker?.utf8, key.name.bytes.count > marker.count,
      key.name.bytes.suffix(marker.count).elementsEqual(marker)
    else { return nil }
    return PayloadKey(directory: key.directory, name: RawPath(bytes: key.name.bytes.dropLast(marker.count)))
  }

  /// What is known of a file from before: its id, its attempts. It has reappeared, and nothing more is kept of it.
  private func origin(of status: FileStatus, in zone: WatchedZone) -> StagedPayload.Origin? {
    let kept = zone.origins.removeValue(forKey: status.identity)?.origin
    let note = zone.earlier.removeValue(forKey: status.identity.inode)
    if let gone = zone.gone.take(status.identity) {
      return StagedPayload.Origin(
        id: gone.id, firstSeen: gone.firstSeen, attempts: gone.attempts, starts: gone.starts)
    }
    if let kept { return kept }
    guard let note, note.birth == status.identity.birth || note.birth == 0 else { return nil }
    return StagedPayload.Origin(id: note.id, firstSeen: wallNow(), attempts: note.attempts, starts: note.starts)
  }

  func lose(_ key: PayloadKey, in name: String, location: RawPath?) {
    let location = location ?? self.location(of: key)
    guard let payload = zones[name]?.staging.lose(key) else { return }
    zones[name]?.live?.forget(payload.id)
    touch(name)
    zones[name]?.gone.add(payload, from: location, at: monotonicNow())
    if let zone = zones[name], let file = announced(by: key, in: zone) {
      reconsider(file, in: name, at: monotonicNow())
    }
  }

  func reconsider(_ key: PayloadKey, in name: String, at now: Duration) {
    if zones[name]?.staging.reconsider(key, at: now) == .ask { asks.append((name, key)) }
    touch(name)
  }

  /// `file` is the payload, where it is open.
  func answer(
    _ key: PayloadKey, in name: String, _ writer: Staging.Writer, file: OpenFile? = nil, at now: Duration
  ) {
    if case .unreadable(let detail) = writer, let payload = zones[name]?.staging[key], payload.waiting != .unreadable {
      log.warning(detail, zone: name, id: payload.id, location: location(of: key))
    }
    switch zones[name]?.staging.answer(key, writer, at: now) {
    case .release: release(key, in: name, file)
    case .ask: asks.append((name, key))
    case .wait, nil: break
    }
    touch(name)
  }

  /// Asks about those that waited for others to be claimed, unless they wait for something else by now.
  func askPostponed(at now: Duration) {
    for name in touched {
      guard let zone = zones[name], !zone.postponedAsks.isEmpty else { continue }
      var room = Self.inFlightLimit - zone.staging.inFlightCount
      while room > 0, let key = zone.postponedAsks.popFirst() {
        guard zone.staging.reconsider(key, at: now) == .ask else { continue }
        asks.append((name, key))
        room -= 1
      }
    }
  }

  /// Asks for writers of what is complete otherwise.
  func askForWriters(at now: Duration) {
    var open: [Int32: OpenFile] = [:]
    // What an answer makes worth asking is asked in the next turn.
    let keys = asks
    asks = []
    for (name, key) in keys {
      guard let zone = zones[name], let payload = zone.staging[key] else { continue }
      guard zone.staging.inFlightCount < Self.inFlightLimit else {
        zone.postponedAsks.append(key)
        continue
      }
      guard let directory = directory(key.directory, &open) else {
        answer(key, in: name, .retry("its directory cannot be opened"), at: now)
        continue
      }
      let (writer, file) = writer(of: key, payload, in: directory)
      if let writer {
        answer(key, in: name, writer, file: file, at: now)
      } else {
        inspect(at: key, in: directory, .written, at: now)
      }
    }
  }

  /// No writer is answered when the name has another file by now, or the file has changed.
  private func writer(
    of key: PayloadKey, _ payload: StagedPayload, in directory: OpenFile
  ) -> (Staging.Writer?, OpenFile?) {
    do throws(Errno) {
      let path = try FileDescriptor.open(key.name, in: directory.number, [.pathOnly, .noFollow])
      let status = try FileStatus.read(at: path.number)
      guard status.kind == .regular, status.isUnchanged(since: payload.status) else { return (nil, nil) }
      let opened = try path.reopened([.readOnly, .nonBlocking])
      var writer = Writer.none(payload.evidence)
      if payload.evidence.usesLease {
        switch ReadLease.ask(opened) {
        case .granted: break
        case .writer: return (.present, nil)
        case .unavailable: writer = .none(.quietOnly)
        }
      }
      return (writer, openReleases.take() ? OpenFile(opened, of: openReleases) : nil)
    } catch {
      switch error {
      case .noEntry: return (nil, nil)
      case .access, .notPermitted:
        let detail =
          "it cannot be read by this daemon (mode \(String(payload.status.mode, radix: 8)), user \(payload.status.owner))"
        return (.unreadable(detail), nil)
      default: return (.retry("it cannot be opened: \(error)"), nil)
      }
    }
  }

  private typealias Writer = Staging.Writer
}
