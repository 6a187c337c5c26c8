import DropEngine
import DropSystem

/// Where the operation is copy the claim is a snapshot on the box's side, and the original stays.
extension ZoneFlow {
  func claimCopies(_ batch: [Release], _ zone: ClaimPlace) async -> [InHand] {
    var parents: [RawPath: OpenFile] = [:]
    var refusals: [ClaimRefusal] = []
    var taken: [InHand] = []
    var keys: [PayloadKey] = []
    let hold: Hold
    do throws(HoldError) {
      hold = try copyHold(zone)
    } catch {
      refuse(batch.map { ClaimRefusal($0.key, .blocked, error.message) })
      return []
    }
    for release in batch {
      do throws(ClaimFailure) {
        if isStopping { throw .changed }
        var claim = try openForClaim(release, zone, &parents)
        if let missing = lackOfRoom(for: claim, zone) { throw .refused(.blocked, missing) }
        claim.drop.move(toHold: hold.path)
        claim.drop.original = Drop.Original(
          inode: claim.sight.identity.inode, birth: claim.sight.identity.birth, modified: claim.sight.modified,
          changed: claim.sight.changed)
        let row = claim.drop
        guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(row) }) else { return [] }
        do throws(ClaimFailure) {
          taken.append(try await snapshot(claim, hold))
          keys.append(release.key)
        } catch {
          // Half a snapshot that cannot be removed keeps its row: without one it would be taken for a payload.
          if (try? Sight.look(at: RawPath(row.entry), in: hold.directory.number)) == nil {
            _ = await commit { (ledger) throws(SQLiteError) in try ledger.remove(row.id) }
          }
          throw error
        }
      } catch {
        refusals.append(error.refusal(of: release.key))
      }
    }
    inHand += taken.count
    tellHand()
    // The originals stay: a look at one while its copy is in hand must not take it again.
    await observer.noted(taken.compactMap { Self.takenNote($0.drop) }, in: name)
    observer.claimed(keys, in: name)
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

  private func snapshot(_ claim: Claim, _ hold: Hold) async throws(ClaimFailure) -> InHand {
    let entry = RawPath(claim.drop.entry)
    var drop = claim.drop
    do {
      try? Directory.unlink(entry, in: hold.directory.number)
      let target = try FileDescriptor.open(entry, in: hold.directory.number, [.create, .exclusive, .readWrite])
      let result = try await Self.bytes(of: claim.file, into: OpenFile(target), settings.delivery, cancellation)
      drop.sha256 = result.digest
      let made = try openHeldFor(entry, hold)
      let after = try Sight.look(at: claim.file.number)
      let usesLease = claim.release.payload.evidence == .lease
      guard after.isUnchanged(since: claim.sight),
        !usesLease || ReadLease.ask(claim.file.descriptor) != .writer
      else {
        try? Directory.unlink(entry, in: hold.directory.number)
        throw ClaimFailure.changed
      }
      drop.warnings += FileMetadata.copy(
        from: claim.file.descriptor, to: made.descriptor, .asItIs, of: hold.directory.descriptor)
      if settings.delivery.durable {
        try made.descriptor.sync()
        try Directory.sync(hold.directory.number)
      }
      let sight = try Sight.look(at: made.number)
      drop.inode = sight.identity.inode
      drop.birth = sight.identity.birth
      drop.changed = sight.changed
      drop.modified = sight.modified
      drop.links = 1
      return InHand(drop, claim, file: made)
    } catch {
      try? Directory.unlink(entry, in: hold.directory.number)
      throw ClaimFailure(error, doing: "cannot be copied")
    }
  }

  private func openHeldFor(_ entry: RawPath, _ hold: Hold) throws(Errno) -> OpenFile {
    OpenFile(try FileDescriptor.open(entry, in: hold.directory.number, [.readOnly, .noFollow]))
  }

  nonisolated static func bytes(
    of source: OpenFile, into target: OpenFile, _ rules: DeliveryRules, _ cancellation: Cancellation
  ) async throws(Errno) -> FileCopy.Result {
    do throws(FileCopy.Failure) {
      return try FileCopy.copy(
        from: source.descriptor, to: target.descriptor,
        digest: rules.digest == .no ? .never : rules.digest == .yes ? .always : .ifPassing, cancellation: cancellation)
    } catch {
      switch error {
      case .source(let errno), .target(let errno): throw errno
      case .changed, .cancelled: throw .again
      }
    }
  }
}
