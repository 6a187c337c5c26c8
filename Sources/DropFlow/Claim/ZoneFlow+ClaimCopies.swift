import DropEngine
import DropSystem

/// Where the operation is copy the claim is a snapshot on the box's side, and the original stays.
extension ZoneFlow {
  /// Commits the intents, copies what stays as it is meanwhile, and gives back what does not.
  func commitAndCopy(_ opened: [Claim], _ zone: ClaimPlace, _ earlier: [ClaimRefusal]) async -> [ClaimedPayload] {
    let hold: Hold
    do throws(HoldError) {
      hold = try copyHold(zone)
    } catch {
      refuse(earlier + opened.map { ClaimRefusal($0.release.key, .blocked, error.message) })
      return []
    }
    let claims = opened.map { $0.snapshot(in: hold) }
    guard await commitIntents(claims, earlier) else { return [] }
    var refusals = earlier
    var copied: [(claim: Claim, payload: ClaimedPayload)] = []
    var undone: [Claim] = []
    let results = await concurrentMap(claims, isLong: true) { part in
      part.map { claim in Result { () throws(ClaimFailure) in try self.copy(claim, zone, hold) } }
    }
    for (claim, result) in zip(claims, results) {
      do throws(ClaimFailure) {
        copied.append((claim, try result.get()))
      } catch {
        refusals.append(error.refusal(of: claim.release.key))
        undone.append(claim)
      }
    }
    let errors = await sync(
      copied.compactMap(\.payload.file), in: hold, unsyncedElse: unsyncedElse(claims))
    for (index, error) in errors.sorted(by: { $0.key > $1.key }) {
      let claim = copied.remove(at: index).claim
      refusals.append(ClaimFailure(error, doing: "cannot be copied").refusal(of: claim.release.key))
      undone.append(claim)
    }
    await removeHalfCopies(of: undone, in: hold)
    let taken = copied.map(\.payload)
    inHand += taken.count
    publishClaimedCount()
    // The originals stay: a look at one while its copy is in hand must not take it again.
    await observer.noted(taken.compactMap { Self.copiedOriginal($0.drop) })
    observer.claimed(copied.map(\.claim.release.key))
    refuse(refusals)
    return taken
  }

  private func copyHold(_ zone: ClaimPlace) throws(HoldError) -> Hold {
    if zone.boxIsNear { return zone.hold }
    // The zone's own hold lies on the zone's side; a snapshot there would be copied once more.
    return try holds.hold(
      for: zone.box, at: RawPath("box of \(settings.box)"),
      candidates: [settings.box + ".hold", settings.box + "/.dropzone-hold"])
  }

  /// Copies one payload into the hold; nothing of it is synced yet.
  private nonisolated func copy(_ claim: Claim, _ zone: ClaimPlace, _ hold: Hold) throws(ClaimFailure) -> ClaimedPayload
  {
    // Those before it have taken some of the room.
    if let missing = lackOfRoom(for: claim, zone, of: freeRoom(at: zone.box.number)) {
      throw .refused(.blocked, missing)
    }
    let entry = RawPath(claim.drop.entry)
    var drop = claim.drop
    do {
      try? Directory.unlink(entry, in: hold.directory.number)
      let target = OpenFile(
        try FileDescriptor.open(entry, in: hold.directory.number, [.create, .exclusive, .readWrite]))
      drop.sha256 = try Self.bytes(of: claim.file, into: target, settings.delivery, claims).digest
      let made = OpenFile(try FileDescriptor.open(entry, in: hold.directory.number, [.readOnly, .noFollow]))
      let after = try FileStatus.read(at: claim.file.number)
      guard after.isUnchanged(since: claim.status),
        !claim.release.payload.evidence.usesLease || ReadLease.ask(claim.file.descriptor) != .writer
      else { throw ClaimFailure.changed }
      drop.warn(
        FileMetadata.copy(
          from: claim.file.descriptor, to: made.descriptor, .asItIs, of: hold.directory.descriptor))
      let status = try FileStatus.read(at: made.number)
      drop.inode = status.identity.inode
      drop.birth = status.identity.birth
      drop.changed = status.changed
      drop.modified = status.modified
      drop.links = 1
      return ClaimedPayload(drop, claim, file: made)
    } catch {
      throw ClaimFailure(error, doing: "cannot be copied")
    }
  }

  /// Syncs the copies and then their names; returns the errors by index.
  private func sync(_ files: [OpenFile], in hold: Hold, unsyncedElse: Int64) async -> [Int: Errno] {
    guard settings.delivery.durable, !files.isEmpty else { return [:] }
    let errors = await Syncing.sync(files, unsyncedElse: unsyncedElse)
    do throws(Errno) {
      try await offActor { Result { () throws(Errno) in try Directory.syncWherePossible(hold.directory.number) } }
        .get()
      return errors
    } catch {
      return Dictionary(uniqueKeysWithValues: files.indices.map { ($0, errors[$0] ?? error) })
    }
  }

  /// Removes half copies and closes their rows. One that cannot be removed, or that a power cut could bring back, keeps
  /// its row: without it, it would be taken for a payload.
  private func removeHalfCopies(of claims: [Claim], in hold: Hold) async {
    guard !claims.isEmpty else { return }
    let isDurable = settings.delivery.durable
    let removed = await offActor {
      let removed = claims.filter { claim in
        let entry = RawPath(claim.drop.entry)
        try? Directory.unlink(entry, in: hold.directory.number)
        return (try? FileStatus.read(at: entry, in: hold.directory.number)) == nil
      }
      do throws(Errno) {
        if isDurable { try Directory.syncWherePossible(hold.directory.number) }
        return removed
      } catch {
        return []
      }
    }
    await forget(removed.map(\.drop.id))
  }

  nonisolated static func bytes(
    of source: OpenFile, into target: OpenFile, _ rules: DeliveryRules, _ cancellation: Cancellation
  ) throws(Errno) -> FileCopy.Result {
    let digest = rules.digest.wish(for: try FileStatus.read(at: source.number))
    do throws(FileCopy.Failure) {
      return try FileCopy.copy(
        from: source.descriptor, to: target.descriptor, digest: digest, cancellation: cancellation)
    } catch {
      switch error {
      case .source(let errno), .target(let errno): throw errno
      case .changed, .cancelled: throw .again
      }
    }
  }
}

extension Claim {
  /// The same with its snapshot in `hold`, and the original where it is.
  fileprivate func snapshot(in hold: Hold) -> Claim {
    var claim = self
    claim.drop.move(toHold: hold.path)
    claim.drop.holdIdentity = hold.identity.stored
    claim.drop.original = Drop.Original(
      inode: status.identity.inode, birth: status.identity.birth, modified: status.modified, changed: status.changed)
    return claim
  }
}
