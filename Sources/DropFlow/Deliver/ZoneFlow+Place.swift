import DropEngine
import DropSystem

/// Steps 4 and 5: looked at once more, the verdict with its name committed, renamed.
extension ZoneFlow {
  /// Queues a payload that has its verdict.
  func place(_ payload: ClaimedPayload) {
    toPlace.append(payload)
    startPlacers()
  }

  func startPlacers() {
    guard !toPlace.isEmpty, placers == 0 || placers < batchesAtOnce && toPlace.count >= Self.claimLimit else { return }
    placers += 1
    start { flow in
      while !flow.toPlace.isEmpty { await flow.placeNext() }
      flow.placerEnds()
    }
  }

  /// Places what is queued: here and now where that is little and nobody is at it.
  func placeQueued() async {
    guard !toPlace.isEmpty, placers == 0, toPlace.count < concurrencyThreshold else { return startPlacers() }
    placers += 1
    await placeNext()
    placerEnds()
  }

  private func placerEnds() {
    placers -= 1
    startPlacers()
    if placers == 0 { leaveGates() }
  }

  private func placeNext() async {
    let batch = toPlace.take(Self.claimLimit) { _, _ in true }
    claimOnWhereThereIsRoom()
    await place(batch)
  }

  private func place(_ batch: [ClaimedPayload]) async {
    var destinations = OpenDestinations(isDurable: settings.delivery.durable)
    var ready: [Placement] = []
    for (payload, look) in await concurrentMap(batch, { self.inspectBeforePlacing(at: $0) }) {
      if let placement = await prepare(payload, look, &destinations) { ready.append(placement) }
    }
    await applyMetadata(&ready)
    var placed: [Placement] = []
    // A name that turns out to be taken is committed anew before the next one is tried.
    while !ready.isEmpty {
      guard await commit(ready.map { .put($0.payload.drop) }, isAlone: hasFew) else { return }
      var again: [Placement] = []
      // One by one: a directory takes one rename at a time.
      for (var placement, end) in zip(ready, await serialMap(ready) { self.rename($0) }) {
        switch end {
        case .done:
          placement.payload.drop.warn(placement.leftUndone)
          placed.append(placement)
        case .taken:
          guard var next = await prepareAgain(placement, &destinations) else { break }
          next.leftUndone = placement.leftUndone
          again.append(next)
        case .far: copyAcrossNext(placement)
        case .gone:
          let payload = placement.payload
          start { await $0.vanished(payload) }
        case .unnameable(let error): refuseName(placement.payload, placement.root.path, placement.root.nameLimit, error)
        case .stuck(let error):
          var payload = placement.payload
          payload.drop.state = .claiming
          let trouble = PayloadTrouble(
            waiting: .retry, message: "it cannot leave the hold, for it may not be changed (chattr): \(error)")
          await waitInHand(payload, trouble) { await $0.place($1) }
        case .unplaceable(let reason): gate(placement.payload, at: placement.root.path, reason)
        }
      }
      ready = again
    }
    finishPlaced(placed)
  }

  /// The name was taken meanwhile: the zone's rule says what that means. A name that looks free and is none is passed.
  private func prepareAgain(_ placement: Placement, _ destinations: inout OpenDestinations) async -> Placement? {
    let (payload, look) = (placement.payload, Result<FinalInspection, Errno>.success(placement.look))
    let next = await prepare(payload, look, &destinations, from: placement.number)
    guard let next, next.number == placement.number, next.replaces == placement.replaces else { return next }
    return await prepare(payload, look, &destinations, from: placement.number + 1)
  }

  /// Makes one payload ready for its rename: its place open, itself unchanged, its metadata set, a free name chosen.
  private func prepare(
    _ payload: ClaimedPayload, _ look: Result<FinalInspection, Errno>, _ destinations: inout OpenDestinations,
    from number: Int = 0
  ) async -> Placement? {
    var payload = payload
    let isAccepted = payload.drop.isAccepted
    let rootPath = isAccepted ? payload.drop.boxPath : payload.drop.rejectsPath
    if let gate = gates[rootPath], !gate.waiting.isEmpty {
      self.gate(payload, at: rootPath, gate.reason)
      return nil
    }
    // What is refused after all is no copy.
    if !isAccepted, payload.drop.original == nil { payload.drop.operation = .move }
    do throws(PlaceError) {
      if !isAccepted, !mountPoints.contains(rootPath) { try Place.make(rootPath, like: payload.drop.boxPath) }
      let root = try destinations.root(rootPath, wasMountPoint: mountPoints.contains(rootPath))
      let last: FinalInspection
      switch look {
      case .success(let found): last = found
      case .failure(let error):
        await waitInHand(
          payload, PayloadTrouble(reading: payload.drop, error)
        ) { await $0.place($1) }
        return nil
      }
      if isAccepted, payload.drop.state == .claiming {
        switch last.change {
        case nil: break
        case .writer:
          // The verdict stands if nothing comes of it; else the look after its end finds the difference.
          let trouble = PayloadTrouble(waiting: .writer, message: "somebody has it open for writing")
          await waitInHand(payload, trouble) { await $0.place($1) }
          return nil
        case .other(let change):
          await judgeAgain(payload, as: last.status, change)
          return nil
        }
      }
      payload.drop.state = .placing
      payload.drop.copyInode = nil
      return try choose(payload, last, root, &destinations, from: number)
    } catch {
      gate(payload, at: rootPath, error.message)
      return nil
    }
  }

  /// Opens what is not open and looks at each once more; holds are opened once for all that lie in them.
  private nonisolated func inspectBeforePlacing(at payloads: ArraySlice<ClaimedPayload>) -> [(
    ClaimedPayload, Result<FinalInspection, Errno>
  )] {
    var holds: [String: OpenFile] = [:]
    return payloads.map { payload in
      var payload = payload
      let look = Result { () throws(Errno) in
        let file = if let open = payload.file { open } else { try openHeld(payload.drop) }
        payload.file = file
        guard payload.drop.isAccepted, payload.drop.state == .claiming else {
          return FinalInspection(status: try FileStatus.read(at: file.number))
        }
        let hold =
          if let open = holds[payload.drop.holdPath] { open } else {
            OpenFile(try Directory.open(payload.drop.holdPath))
          }
        holds[payload.drop.holdPath] = hold
        let isWritten = hasWriter(payload)
        let held = try FileStatus.read(at: RawPath(payload.drop.entry), in: hold.number)
        return FinalInspection(status: held, change: isWritten ? .writer : Self.changeSinceJudged(payload.drop, held))
      }
      return (payload, look)
    }
  }

  /// What is no longer as it was when the verdict was made; nil when everything is.
  private nonisolated static func changeSinceJudged(_ drop: Drop, _ status: FileStatus) -> FinalInspection.Change? {
    guard status.identity.matches(inode: drop.inode, birth: drop.birth) else {
      return .other("replaced during judgement")
    }
    if status.size != drop.size || status.modified != drop.modified
      || status.changed != drop.changed && status.links == drop.links
    {
      return .other("changed during judgement")
    }
    return nil
  }

  private nonisolated func hasWriter(_ payload: ClaimedPayload) -> Bool {
    guard payload.drop.evidence.usesLease, let file = payload.file else { return false }
    return ReadLease.ask(file.descriptor) == .writer
  }

  /// Owner, mode and group as the zone says, through the descriptor and before the name is in the box.
  ///
  /// A file with other names keeps what it has: those names belong to somebody.
  private func applyMetadata(_ placements: inout [Placement]) async {
    var changed: [(placement: Int, file: OpenFile)] = []
    for index in placements.indices where placements[index].isMovedAsItIs {
      guard let file = placements[index].payload.file else { continue }
      let before = placements[index].look.status
      let warnings = FileMetadata.apply(
        settings.delivery, of: placements[index].folder.status, to: file.descriptor, as: before)
      guard let warnings else { continue }
      placements[index].leftUndone = warnings
      if let after = try? FileStatus.read(at: file.number), after.changed != before.changed {
        placements[index].payload.drop.changed = after.changed
        changed.append((index, file))
      }
    }
    guard settings.delivery.durable, !changed.isEmpty else { return }
    let errors = await Syncing.sync(changed.map(\.file), unsyncedElse: 0)
    for (index, error) in errors.sorted(by: { $0.key > $1.key }) where error.leavesUnwritten {
      var payload = placements.remove(at: changed[index].placement).payload
      payload.drop.state = .claiming
      let trouble = PayloadTrouble(waiting: .retry, message: "its owner and permissions cannot be synced: \(error)")
      await waitInHand(payload, trouble) { await $0.place($1) }
    }
  }

  /// The rename itself; for rejects after the reason file, so that no reject is ever without one.
  private nonisolated func rename(_ placement: Placement) -> Renamed {
    let payload = placement.payload
    guard placement.isNear else { return .far }
    do throws(Errno) {
      if !payload.drop.isAccepted {
        try ReasonFile.write(
          placement.record.receipt, for: payload.drop.id, beside: placement.name,
          in: placement.folder.file.number, durable: settings.delivery.durable)
      }
      try placement.rename(RawPath(payload.drop.entry), in: placement.hold)
      return .done
    } catch  where error == .exists {
      removeReason(of: placement)
      return .taken
    } catch  where error == .crossDevice || error == .notSupported {
      // A file of our own may be linked where a sender's may not.
      removeReason(of: placement)
      return .far
    } catch  where error == .noEntry && (try? inspect(atHeld: payload.drop)) == .gone {
      return .gone
    } catch  where error.isAboutName {
      removeReason(of: placement)
      return .unnameable(error)
    } catch  where error == .notPermitted && isImmutable(payload.drop) {
      removeReason(of: placement)
      return .stuck(error)
    } catch {
      removeReason(of: placement)
      return .unplaceable("'\(Escaping.escape(placement.root.path))': \(error)")
    }
  }

  private nonisolated func isImmutable(_ drop: Drop) -> Bool {
    guard let file = try? openHeld(drop), let status = try? FileStatus.read(at: file.number) else { return false }
    return status.isImmutable
  }

  /// Removes a reason whose reject did not get its name: it would keep that from it.
  nonisolated func removeReason(of placement: Placement) {
    guard !placement.payload.drop.isAccepted else { return }
    ReasonFile.remove(of: placement.payload.drop.id, beside: placement.name, in: placement.folder.file.number)
  }

  private enum Renamed {
    case done, taken, far, gone
    /// The fault is the payload's and not the place's.
    case stuck(Errno)
    case unnameable(Errno)
    case unplaceable(String)
  }
}
