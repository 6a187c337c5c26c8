import DropEngine
import DropSystem

/// Steps 0 to 2 of the contract: bytes synced in the zone, intent committed, rename into the hold.
extension ZoneFlow {
  /// Returns what is in the hold now.
  func claim(_ batch: [Release]) async -> [ClaimedPayload] {
    claiming += 1
    let taken = await claimTogether(batch)
    claiming -= 1
    if claiming == 0 {
      for waiter in claimsEnd { waiter.resume() }
      claimsEnd = []
    }
    return taken
  }

  private func claimTogether(_ batch: [Release]) async -> [ClaimedPayload] {
    guard let first = batch.first else { return [] }
    let zone: ClaimPlace
    do throws(HoldError) {
      zone = try openPlaces(first.mountLocation)
    } catch {
      refuse(batch.map { ClaimRefusal($0.key, .blocked, error.message) })
      return []
    }
    let opened = await concurrentMap(batch) { part in
      var parents: [RawPath: OpenFile] = [:]
      return part.map { release in
        Result { () throws(ClaimFailure) in
          try self.openForClaim(release, zone, &parents)
        }
      }
    }
    var refusals: [ClaimRefusal] = []
    var claims: [Claim] = []
    let room = freeRoom(at: zone.box.number)
    var promised = copies.isEmpty ? 0 : (try? FileStatus.read(at: zone.box.number)).map { promisedBytes(at: $0) } ?? 0
    for (release, result) in zip(batch, opened) {
      switch result {
      case .success(let claim):
        if let missing = lackOfRoom(for: claim, zone, of: room, besides: promised) {
          refusals.append(ClaimRefusal(release.key, .blocked, missing))
        } else {
          claims.append(claim)
          if claim.isCopied(zone) { promised += claim.status.bytesToCopy }
        }
      case .failure(let failure): refusals.append(failure.refusal(of: release.key))
      }
    }
    if first.operation == .copy { return await commitAndCopy(claims, zone, refusals) }
    if settings.delivery.durable {
      let isAlone = hasFew && claims.allSatisfy { $0.status.size <= Self.fewBytes }
      let errors = await Syncing.sync(claims.map(\.file), unsyncedElse: unsyncedElse(claims), isAlone: isAlone)
      for (index, error) in errors.sorted(by: { $0.key > $1.key }) {
        refusals.append(ClaimRefusal(claims[index].release.key, .retry, "its bytes cannot be synced: \(error)"))
        claims.remove(at: index)
      }
    }
    return await commitAndRename(claims, zone, refusals)
  }

  /// Bytes of others that a sync of the whole file system would wait for.
  func unsyncedElse(_ claims: [Claim]) -> Int64 {
    // Each of those has more than is waited for.
    bigClaims > 0 ? .max : claims.first?.release.unsyncedBytes ?? 0
  }

  /// Commits the intents, renames what is still as it was, and gives back what is not.
  private func commitAndRename(_ claims: [Claim], _ zone: ClaimPlace, _ earlier: [ClaimRefusal]) async
    -> [ClaimedPayload]
  {
    guard await commitIntents(claims, earlier) else { return [] }
    var refusals = earlier
    var taken: [ClaimedPayload] = []
    var keys: [PayloadKey] = []
    var closed: [DropID] = []
    // Syncs and a commit took their time: a directory that has left the zone meanwhile takes its files with it.
    let gone = goneParents(of: claims, zone)
    // One by one: a directory takes one rename at a time.
    let renamed = await serialMap(claims) { claim in
      Result { () throws(ClaimFailure) in
        if gone.contains(claim.release.location.parent) { throw .changed }
        return try self.rename(claim, zone)
      }
    }
    for (claim, result) in zip(claims, renamed) {
      do throws(ClaimFailure) {
        let payload = try result.get()
        taken.append(payload)
        keys.append(claim.release.key)
        if let marker = claim.release.marker { try? Directory.unlink(marker, in: claim.parent.number) }
      } catch {
        refusals.append(error.refusal(of: claim.release.key))
        closed.append(claim.drop.id)
      }
    }
    inHand += taken.count
    // Counted twice for a moment rather than not at all.
    publishClaimedCount()
    observer.claimed(keys)
    await forget(closed)
    refuse(refusals)
    return taken
  }

  /// Commits the rows of what is about to be taken; false where nothing is to be taken now, and everybody is told.
  func commitIntents(_ claims: [Claim], _ refusals: [ClaimRefusal]) async -> Bool {
    guard !claims.isEmpty, claimsGoOn else {
      refuse(refusals + claims.map { ClaimRefusal($0.release.key, nil, "") })
      return false
    }
    do throws(LedgerError) {
      try await ledger.commit(
        claims.map { .put($0.drop) }, isAlone: hasFew && claims.count < concurrencyThreshold)
      return true
    } catch {
      refuse(refusals + claims.map { ClaimRefusal($0.release.key, .blocked, "\(error)") })
      // Nothing in hand has to meet it first: the next start begins a new one.
      if case .damaged = error { observer.ledgerFailed(error) }
      return false
    }
  }

  /// Removes the rows of what was not taken after all.
  func forget(_ ids: [DropID]) async {
    guard !ids.isEmpty else { return }
    _ = await commit(ids.map { .remove($0) })
  }

  func refuse(_ refusals: [ClaimRefusal]) {
    guard !refusals.isEmpty else { return }
    observer.notClaimed(refusals)
  }

  /// The locations that no longer lead to the directories that were opened, or no longer can be told to.
  private func goneParents(of claims: [Claim], _ zone: ClaimPlace) -> Set<RawPath> {
    var parents: [RawPath: OpenFile] = [:]
    for claim in claims { parents[claim.release.location.parent] = claim.parent }
    func isStillThere(_ location: RawPath, _ parent: OpenFile) throws -> Bool {
      let now =
        location.bytes.isEmpty
        ? try FileDescriptor.open(RawPath(settings.path), [.pathOnly, .directory])
        : try FileDescriptor.open(beneath: zone.root.number, location, [.pathOnly, .directory])
      return try FileStatus.read(at: now.number).identity == FileStatus.read(at: parent.number).identity
    }
    return Set(parents.filter { (try? isStillThere($0, $1)) != true }.keys)
  }

  /// Renames one payload into the hold, between two looks at its writers.
  private nonisolated func rename(_ claim: Claim, _ zone: ClaimPlace) throws(ClaimFailure) -> ClaimedPayload {
    let release = claim.release
    var drop = claim.drop
    let usesLease = release.payload.evidence.usesLease
    if usesLease, ReadLease.take(claim.file.descriptor) == .writer { throw .changed }
    defer { if usesLease { ReadLease.giveBack(claim.file.descriptor) } }
    let name = release.location.lastComponent
    let entry = RawPath(drop.entry)
    do {
      let now = try FileStatus.read(at: claim.file.number)
      guard now.isUnchanged(since: claim.status) else { throw ClaimFailure.changed }
      try Directory.renameToOwn(name, in: claim.parent.number, to: entry, in: zone.hold.directory.number)
    } catch {
      throw ClaimFailure(error, doing: "cannot be taken")
    }
    // From here on it is in the hold and keeps its row, whatever happens, until it is seen elsewhere.
    guard let held = try? FileStatus.read(at: entry, in: zone.hold.directory.number) else {
      return ClaimedPayload(drop, claim)
    }
    let isDisturbed =
      usesLease && !ReadLease.isUndisturbed(claim.file.descriptor)
      && ReadLease.ask(claim.file.descriptor) == .writer
    guard held.identity == claim.status.identity, held.size == claim.status.size,
      held.modified == claim.status.modified,
      !isDisturbed
    else {
      // Another file came along, or somebody came to write: it goes back to its own name and is looked at afresh.
      let hold = zone.hold.directory.number
      if (try? Directory.renameReplacingNothing(entry, in: hold, to: name, in: claim.parent.number)) != nil {
        // Its row goes: a power cut must not leave it in the hold.
        if settings.delivery.durable {
          try? Directory.sync(hold)
          try? Directory.sync(claim.parent.number)
        }
        throw .changed
      }
      // Its name has been taken meanwhile: it is judged as what it is now.
      drop.become(held)
      var payload = ClaimedPayload(drop, claim)
      payload.file = nil
      payload.typed = nil
      return payload
    }
    drop.changed = held.changed
    drop.links = held.links
    var payload = ClaimedPayload(drop, claim)
    payload.isJustClaimed = true
    return payload
  }

  /// Opens a payload below the zone, and makes sure that it is what staging saw.
  nonisolated func openForClaim(
    _ release: Release, _ zone: ClaimPlace, _ parents: inout [RawPath: OpenFile]
  ) throws(ClaimFailure) -> Claim {
    do {
      let parentLocation = release.location.parent
      let parent: OpenFile
      if let known = parents[parentLocation] {
        parent = known
      } else {
        parent = OpenFile(try FileDescriptor.open(beneath: zone.root.number, parentLocation, [.pathOnly, .directory]))
        parents[parentLocation] = parent
      }
      let file: OpenFile
      let status: FileStatus
      if let open = release.file {
        // Whether it is still what it was, and its name leads to it, the rename tells.
        file = open
        status = release.payload.status
      } else {
        let path = try FileDescriptor.open(release.location.lastComponent, in: parent.number, [.pathOnly, .noFollow])
        status = try FileStatus.read(at: path.number)
        guard status.kind == .regular else { throw ClaimFailure.changed }
        // Opened through the descriptor: between the look and the open nobody can put a pipe or a link in its place.
        file = OpenFile(try path.reopened([.readOnly, .nonBlocking]))
      }
      guard status.isUnchanged(since: release.payload.status) else { throw ClaimFailure.changed }
      if status.isImmutable { throw ClaimFailure.refused(.cannotTake, "it is immutable or append-only") }
      return Claim(release: release, file: file, parent: parent, status: status, drop: row(release, status, zone))
    } catch {
      throw ClaimFailure(error, doing: "cannot be opened")
    }
  }

  private nonisolated func row(_ release: Release, _ status: FileStatus, _ zone: ClaimPlace) -> Drop {
    let payload = release.payload
    var drop = Drop(
      id: payload.id, in: zone.places, location: release.location, state: .claiming, operation: release.operation,
      entry: Drop.entry(for: payload.id, name: release.location.lastComponent), inode: status.identity.inode,
      birth: status.identity.birth, size: status.size, modified: status.modified, firstSeen: payload.firstSeen,
      released: wallNow(), evidence: payload.evidence)
    drop.holdIdentity = zone.hold.identity.stored
    drop.changed = status.changed
    drop.links = status.links
    drop.attempts = payload.attempts
    drop.starts = payload.starts
    drop.afterCrash = payload.isAfterCrash
    drop.isForced = payload.isForced
    drop.ordinal = payload.ordinal
    // Kept in the row, so that a restart asks nobody anew. A snapshot that a stop interrupts is taken and asked about
    // again, and so has none of it.
    if release.operation == .move {
      drop.verdict = release.refusal.map { .rejected(.handler, message: $0) }
      drop.destinationDirectory = release.destination ?? RawPath(bytes: [])
    }
    return drop
  }
}

/// One payload on its way into the hold.
struct Claim: Sendable {
  let release: Release
  let file: OpenFile
  let parent: OpenFile
  let status: FileStatus
  var drop: Drop
}

extension ClaimedPayload {
  /// What is claimed: `drop` as it lies in the hold now.
  init(_ drop: Drop, _ claim: Claim, file: OpenFile? = nil) {
    self.init(drop: drop, file: file ?? claim.file)
    self.drop.verdict = claim.release.refusal.map { .rejected(.handler, message: $0) }
    wishedDirectory = claim.release.destination
    session = claim.release.session
    typed = claim.release.typed
  }
}
