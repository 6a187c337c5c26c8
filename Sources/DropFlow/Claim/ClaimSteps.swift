import DropEngine
import DropSystem

/// What the claim does with single payloads, on whatever thread has time for it.
struct ClaimSteps: Sendable {
  let context: FlowContext
  let place: ClaimPlace

  /// Opens a payload below the zone, and makes sure that it is what staging saw.
  func open(
    _ release: Release, _ parents: inout [RawPath: Directory]
  ) -> Result<ClaimedPayload, Delivery.Refusal> {
    do throws(FileError) {
      let location = release.location.parent
      let parent: Directory
      if let known = parents[location] {
        parent = known
      } else {
        parent = try place.root.directory(at: location)
        parents[location] = parent
      }
      let file: OpenFile
      let status: FileStatus
      if let open = release.file {
        // Whether it is still what it was, and its name leads to it, is seen at the rename.
        (file, status) = (open, release.payload.status)
      } else {
        guard let opened = try parent.openRegular(named: release.location.lastComponent) else {
          return .failure(.changed)
        }
        (file, status) = opened
      }
      guard status.isUnchanged(since: release.payload.status) else { return .failure(.changed) }
      if status.isImmutable { return .failure(.init(.init(.immutable), .taking)) }
      return .success(payload(release, file, parent, status))
    } catch {
      return .failure(.init(.init(error), .opening))
    }
  }

  private func payload(
    _ release: Release, _ file: OpenFile, _ parent: Directory, _ status: FileStatus
  ) -> ClaimedPayload {
    var delivery = Delivery(claiming: row(release, status), policy: context.policy)
    var wishes = Delivery.Wishes()
    wishes.directory = release.destination
    delivery.apply(wishes, refusal: release.refusal)
    var payload = ClaimedPayload(delivery, time: context.time)
    payload.file = file
    payload.parent = parent
    payload.hold = place.hold.directory
    payload.status = status
    payload.key = release.key
    payload.marker = release.marker
    payload.session = release.session
    payload.typed = release.typed
    if release.operation == .copy { payload.hold = place.snapshotHold.directory }
    return payload
  }

  private func row(_ release: Release, _ status: FileStatus) -> Drop {
    let payload = release.payload
    let hold = release.operation == .copy ? place.snapshotHold : place.hold
    var drop = Drop(
      id: payload.id, in: place.places, location: release.location, state: .claiming, operation: release.operation,
      entry: Drop.entry(for: payload.id, name: release.location.lastComponent), inode: status.identity.inode,
      birth: status.identity.birth, size: status.size, modified: status.modified, firstSeen: payload.firstSeen,
      released: context.time.wallTime, evidence: payload.evidence)
    drop.holdIdentity = hold.identity.stored
    drop.changed = status.changed
    drop.links = status.links
    drop.attempts = payload.attempts
    drop.starts = payload.starts
    drop.afterCrash = payload.isAfterCrash
    drop.isForced = payload.isForced
    drop.ordinal = payload.ordinal
    if release.operation == .copy {
      drop.original = Drop.Original(
        inode: status.identity.inode, birth: status.identity.birth, modified: status.modified,
        changed: status.changed)
    }
    return drop
  }

  /// The locations that no longer lead to the directories that were opened.
  func goneParents(of payloads: [ClaimedPayload]) -> Set<RawPath> {
    var parents: [RawPath: Directory] = [:]
    for payload in payloads { parents[payload.drop.location.parent] = payload.parent }
    return Set(parents.filter { !isStillThere($0, $1) }.keys)
  }

  private func isStillThere(_ location: RawPath, _ parent: Directory) -> Bool {
    do throws(FileError) {
      let now = location.isEmpty ? try Directory(context.settings.path) : try place.root.directory(at: location)
      return try now.status().identity == parent.status().identity
    } catch {
      return false
    }
  }

  /// Whether its bytes are written once more on their way into the box.
  private func isCopied(_ payload: ClaimedPayload) -> Bool {
    !place.boxIsNear || payload.drop.links > 1 || payload.drop.operation == .copy
  }

  /// What to say if the payload would be copied into a box that has no room for it; counts it otherwise.
  func lackOfRoom(for payload: ClaimedPayload, in room: inout Room) -> String? {
    guard isCopied(payload), let file = payload.file, let status = payload.status else { return nil }
    if let lack = room.lack(for: status, of: file, in: place.box) { return lack }
    room.promised += status.bytesToCopy
    return nil
  }
}

// MARK: - Into the hold

extension ClaimSteps {
  /// Renames one payload into the hold, between two looks at its writers.
  func take(_ payload: ClaimedPayload, isGone: Bool) -> ClaimedPayload {
    var payload = payload
    payload.receive(isGone ? .failed(.init(.changed)) : taken(payload))
    // What came along with the rename is another file, or has a writer: it is opened again.
    if case .rename(.hold, to: .origin, _) = payload.delivery.step {
      payload.file = nil
      payload.typed = nil
    }
    return payload
  }

  private func taken(_ payload: ClaimedPayload) -> Delivery.Event {
    guard let file = payload.file, let parent = payload.parent, let hold = payload.hold, let status = payload.status
    else { return .failed(.init(.changed)) }
    let usesLease = payload.drop.evidence.usesLease
    if usesLease, file.takeLease() == .writer { return .failed(.init(.changed)) }
    defer { if usesLease { file.returnLease() } }
    let entry = RawPath(payload.drop.entry)
    do throws(FileError) {
      guard try file.status().isUnchanged(since: status) else { return .failed(.init(.changed)) }
      try parent.renameToOwn(payload.drop.location.lastComponent, to: entry, in: hold)
    } catch {
      return .failed(.init(error))
    }
    // From here on it is in the hold and keeps its row, whatever happens, until it is seen elsewhere.
    guard let held = try? hold.status(of: entry) else { return .renamed(nil) }
    let isDisturbed = usesLease && !file.isLeaseIntact && file.hasWriter()
    let isSame =
      held.identity == status.identity && held.size == status.size && held.modified == status.modified
    return isSame && !isDisturbed ? .renamed(held) : .disturbed(held)
  }

  /// Copies one payload into the hold; nothing of the copy is synced yet.
  func snapshot(_ payload: ClaimedPayload) -> ClaimedPayload {
    var payload = payload
    guard let file = payload.file, let hold = payload.hold, let status = payload.status else {
      payload.receive(.failed(.init(.changed)))
      return payload
    }
    // Those before it have taken some of the room.
    if let lack = Room(at: place.box).lack(for: status, of: file, in: place.box) {
      payload.receive(.failed(.init(.noRoom, lack)))
      return payload
    }
    do throws(FileError) {
      let (copy, made) = try copied(payload, file, hold, status)
      payload.file = made
      payload.receive(copy)
    } catch {
      payload.receive(.failed(.init(error)))
    }
    return payload
  }

  private func copied(
    _ payload: ClaimedPayload, _ file: OpenFile, _ hold: Directory, _ status: FileStatus
  ) throws(FileError) -> (Delivery.Event, OpenFile?) {
    let entry = RawPath(payload.drop.entry)
    if hold.has(entry) { try hold.unlink(entry) }
    let target = try hold.open(entry, [.create, .exclusive, .readWrite])
    let digest = try file.copyBytes(
      to: target, digest: context.settings.delivery.digest.wish(for: status), context.claims)
    let made = try hold.open(entry, [.readOnly, .noFollow])
    let isUnchanged = try file.status().isUnchanged(since: status)
    guard isUnchanged, !payload.drop.evidence.usesLease || !file.hasWriter() else {
      return (.failed(.init(.changed)), nil)
    }
    let warnings = FileMetadata.copy(from: file.descriptor, to: made.descriptor, .asItIs, of: hold.descriptor)
    return (.copied(.init(status: try made.status(), sha256: digest, warnings: warnings)), made)
  }
}
