import DropEngine
import DropSystem

/// Steps 5 to 11 for a box on another file system, and for files with other names: a copy under a hidden name, synced,
/// committed as `copied`, renamed, and only after the receipt the source removed.
extension ZoneFlow {
  /// Copies side by side; where a later file replaces an earlier one they come in their order.
  private static let copiesAtOnce = 4
  /// What is longer never takes all of them: holes make a file of any length, and hashing it takes days.
  private static let longCopy: Int64 = 1 << 30

  func copyAcrossNext(_ placement: Placement) {
    if placement.payload.drop.size > Self.longCopy, settings.delivery.collision != .replace {
      longToCopy.append(placement)
    } else {
      toCopy.append(placement)
    }
    startCopies()
  }

  private func startCopies() {
    let limit = settings.delivery.collision == .replace ? 1 : Self.copiesAtOnce
    while copies.count < limit, !isStopping, let next = nextCopy() {
      copies[next.payload.drop.id] = next
      start { flow in
        await flow.copyAcross(next)
        flow.copies[next.payload.drop.id] = nil
        flow.startCopies()
        flow.leaveGates()
        flow.claimOnWhereThereIsRoom()
      }
    }
  }

  private func nextCopy() -> Placement? {
    let long = copies.values.count { $0.payload.drop.size > Self.longCopy }
    if long == 0 || toCopy.isEmpty, long < Self.copiesAtOnce - 1, let next = longToCopy.popFirst() { return next }
    return toCopy.popFirst()
  }

  private func copyAcross(_ placement: Placement) async {
    var placement = placement
    let temporary = placement.temporary
    let directory = placement.folder.file
    do throws(CopyTrouble) {
      let source: OpenFile
      do throws(Errno) {
        source = if let open = placement.payload.file { open } else { try openHeld(placement.payload.drop) }
      } catch {
        throw .payload(error)
      }
      if let lack = lackOfRoom(for: placement, source) { throw .room(lack) }
      let copy = try await Self.copy(
        source, as: temporary, placement, rules: settings.delivery, cancellation: cancellation)
      placement.payload.drop.sha256 = copy.digest ?? placement.payload.drop.sha256
      placement.payload.drop.copyInode = copy.inode
      placement.payload.drop.warn(copy.warnings)
      let changed: FileStatus?
      do throws(Errno) {
        changed = placement.payload.drop.isAccepted ? try changedSource(placement.payload.drop) : nil
      } catch {
        throw .payload(error)
      }
      if let changed {
        try? Directory.unlink(temporary, in: directory.number)
        return await judgeAgain(placement.payload, as: changed, "changed while it was copied")
      }
    } catch {
      try? Directory.unlink(temporary, in: directory.number)
      await copyFailed(placement, error)
      return
    }
    placement.payload.drop.state = .copied
    await nameCopy(placement, temporary)
  }

  /// Goes on after `copied`: names the copy, syncs, commits the receipt and removes the source.
  private func nameCopy(_ placement: Placement, _ temporary: RawPath) async {
    var placement = placement
    while true {
      let drop = placement.payload.drop
      guard await commit([.put(drop)]) else { return }
      do throws(Errno) {
        if !drop.isAccepted {
          try ReasonFile.write(
            placement.record.receipt, for: drop.id, beside: placement.name,
            in: placement.folder.file.number, durable: settings.delivery.durable)
        }
        try placement.rename(temporary, in: placement.folder.file)
        break
      } catch  where error == .exists {
        removeReason(of: placement)
        // The name was taken during the copy. Where the zone's rule is another than the next name, it is asked again;
        // one that replaces keeps its turn, or an earlier one would replace a later.
        if drop.isAccepted, settings.delivery.collision == .replace, let next = replacing(placement) {
          placement = next
          continue
        }
        if drop.isAccepted, settings.delivery.collision != .rename {
          return await decideAgain(placement, temporary) { $0.place($1) }
        }
        placement = freeName(after: placement)
      } catch {
        removeReason(of: placement)
        let root = placement.root
        return await decideAgain(placement, temporary) { flow, payload in
          if error.isAboutName { return flow.refuseName(payload, root.path, root.nameLimit, error) }
          let why = error == .notSupported ? "names cannot be given there without replacing others" : "\(error)"
          flow.gate(payload, at: root.path, "'\(Escaping.escape(root.path))': \(why)")
        }
      }
    }
    await finishNamed(placement)
  }

  /// Gives up a copy that has no name yet, and lets `next` have the payload.
  private func decideAgain(
    _ placement: Placement, _ temporary: RawPath, next: (isolated ZoneFlow, ClaimedPayload) -> Void
  ) async {
    var payload = placement.payload
    payload.drop.state = .claiming
    payload.drop.copyInode = nil
    // While the row says `copied`, a temporary that is not there says that it was named: so the row goes first.
    guard await commit([.put(payload.drop)]) else { return }
    try? Directory.unlink(temporary, in: placement.folder.file.number)
    next(self, payload)
  }

  private func finishNamed(_ placement: Placement, back: Duration = .seconds(1)) async {
    if settings.delivery.durable, let error = await offActor({ OpenDestinations.sync([placement]) }) {
      waitForSync([placement], error, back) { await $0.finishNamed(placement, back: min(back * 2, .seconds(30))) }
      return
    }
    syncTrouble = nil
    openGate(placement.root.path)
    await finishCopied(placement.payload.drop, placement.record)
  }

  /// The same over the file that has its name; nil where that is none to be replaced.
  private func replacing(_ placement: Placement) -> Placement? {
    guard !placement.replaces, let status = try? FileStatus.read(at: placement.name, in: placement.folder.file.number),
      status.kind != .directory
    else { return nil }
    return Placement(
      placement.payload, placement.look, placement.root, placement.folder, hold: placement.hold, name: placement.name,
      number: placement.number, replaces: true)
  }

  private func freeName(after placement: Placement) -> Placement {
    let limit = placement.root.nameLimit
    let number = placement.folder.freeNumber(for: placement.payload, from: placement.number + 1, limit: limit)
    return Placement(
      placement.payload, placement.look, placement.root, placement.folder, hold: placement.hold,
      name: placement.payload.name(number, limit: limit), number: number, replaces: false)
  }

  /// What has become of the source while it was copied; nil when nothing has.
  private func changedSource(_ drop: Drop) throws(Errno) -> FileStatus? {
    switch try inspect(atHeld: drop) {
    case .same: return nil
    case .gone: throw .noEntry
    case .changed(let status):
      // A link that comes or goes changes the time and not the bytes.
      let isSame =
        status.size == drop.size && status.modified == drop.modified && status.identity.inode == drop.inode
      return isSame ? nil : status
    }
  }

  private func copyFailed(_ placement: Placement, _ trouble: CopyTrouble) async {
    var payload = placement.payload
    payload.drop.state = .claiming
    switch trouble {
    case .room(let lack):
      await waitInHand(payload, PayloadTrouble(waiting: .blocked, message: lack)) { await $0.place($1) }
    case .place(let error):
      gate(payload, at: placement.root.path, "'\(Escaping.escape(placement.root.path))': \(error)")
    case .payload(let error):
      await waitInHand(payload, PayloadTrouble(reading: payload.drop, error)) { await $0.place($1) }
    case .cancelled:
      break
    }
  }

  struct Copied {
    var inode: UInt64
    var digest: String?
    var warnings: [String]
  }

  enum CopyTrouble: Error {
    case room(String)
    case place(Errno)
    case payload(Errno)
    case cancelled

    /// What an error of the copy means, which needs so many bytes.
    init(_ error: Errno, needing bytes: Int64) {
      self = error == .noSpace || error == .quota ? .room("box full (needs \(bytes.formattedBytes))") : .place(error)
    }
  }

  /// Copies on a thread that may wait, beside whatever else the zone does.
  private nonisolated static func copy(
    _ source: OpenFile, as temporary: RawPath, _ placement: Placement, rules: DeliveryRules,
    cancellation: Cancellation
  ) async throws(CopyTrouble) -> Copied {
    let directory = placement.folder.file.number
    let target: FileDescriptor
    do throws(Errno) {
      try? Directory.unlink(temporary, in: directory)
      target = try FileDescriptor.open(temporary, in: directory, [.create, .exclusive, .readWrite], mode: 0o600)
    } catch {
      throw CopyTrouble(error, needing: placement.look.status.bytesToCopy)
    }
    let result: FileCopy.Result
    do throws(FileCopy.Failure) {
      result = try FileCopy.copy(
        from: source.descriptor, to: target, digest: rules.digest.wish(for: placement.look.status),
        cancellation: cancellation)
    } catch {
      switch error {
      case .source(let errno): throw .payload(errno)
      case .changed: throw .payload(.again)
      case .target(let errno): throw CopyTrouble(errno, needing: placement.look.status.bytesToCopy)
      case .cancelled: throw .cancelled
      }
    }
    let warnings = FileMetadata.copy(
      from: source.descriptor, to: target, placement.payload.drop.isAccepted ? rules : .asItIs,
      of: placement.folder.file.descriptor)
    do throws(Errno) {
      if rules.durable {
        try target.sync()
        try Directory.syncWherePossible(directory)
      }
      return Copied(
        inode: try FileStatus.read(at: target.number).identity.inode, digest: result.digest, warnings: warnings)
    } catch {
      throw CopyTrouble(error, needing: placement.look.status.bytesToCopy)
    }
  }
}
