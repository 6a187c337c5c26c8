import DropEngine
import DropSystem

/// Steps 5 to 11 for a box on another file system, and for files with other names: a copy under a hidden name, synced,
/// committed as `copied`, renamed, and only after the receipt the source removed.
extension ZoneFlow {
  /// Copies side by side; where a later file replaces an earlier one they come in their order.
  private static let copiesAtOnce = 4

  func copyAcrossNext(_ placement: Placement) {
    toCopy.append(placement)
    startCopies()
  }

  private func startCopies() {
    let limit = settings.delivery.collision == .replace ? 1 : Self.copiesAtOnce
    while copying < limit, !isStopping, let next = toCopy.popFirst() {
      copying += 1
      start { flow in
        await flow.copyAcross(next)
        flow.copying -= 1
        flow.startCopies()
        flow.claimOnWhereThereIsRoom()
      }
    }
  }

  private func copyAcross(_ placement: Placement) async {
    var placement = placement
    guard let source = placement.payload.file else { return }
    let temporary = RawPath(".dropzone-\(placement.payload.drop.id)")
    let directory = placement.folder.file
    do throws(CopyTrouble) {
      let copy = try await Self.copy(
        source, as: temporary, placement, rules: settings.delivery, cancellation: cancellation)
      placement.payload.drop.sha256 = copy.digest ?? placement.payload.drop.sha256
      placement.payload.drop.copyInode = copy.inode
      placement.payload.drop.warnings += copy.warnings
      let change: String?
      do throws(Errno) {
        change = placement.payload.drop.isAccepted ? try sourceChange(placement.payload) : nil
      } catch {
        throw .payload(error)
      }
      if let change {
        try? Directory.unlink(temporary, in: directory.number)
        placement.payload.drop.state = .claiming
        placement.payload.drop.copyInode = nil
        await judgeAgain(placement.payload, change)
        return
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
      guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(drop) }) else { return }
      do throws(Errno) {
        if !drop.isAccepted {
          try ReasonFile.write(
            placement.record.receipt, for: drop.id, beside: placement.name,
            in: placement.folder.file.number, durable: settings.delivery.durable)
        }
        try Directory.rename(
          temporary, in: placement.folder.file.number, to: placement.name, in: placement.folder.file.number,
          replacing: placement.replaces)
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
        guard let next = freeName(after: placement) else { continue }
        placement = next
      } catch {
        removeReason(of: placement)
        let root = placement.root.path
        return await decideAgain(placement, temporary) { $0.gate($1, at: root, "'\(Escaping.escape(root))': \(error)") }
      }
    }
    await finishNamed(placement)
  }

  /// Gives up a copy that has no name yet, and lets `next` have the payload.
  private func decideAgain(
    _ placement: Placement, _ temporary: RawPath, next: (isolated ZoneFlow, InHand) -> Void
  ) async {
    var payload = placement.payload
    payload.drop.state = .claiming
    payload.drop.copyInode = nil
    // While the row says `copied`, a temporary that is not there says that it was named: so the row goes first.
    let row = payload.drop
    guard await commit({ (ledger) throws(SQLiteError) in try ledger.put(row) }) else { return }
    try? Directory.unlink(temporary, in: placement.folder.file.number)
    next(self, payload)
  }

  private func finishNamed(_ placement: Placement, back: Duration = .seconds(1)) async {
    if settings.delivery.durable, let error = await Lanes.aside({ PlacingDesk.sync([placement]) }) {
      waitForSync([placement], error, back) { await $0.finishNamed(placement, back: min(back * 2, .seconds(30))) }
      return
    }
    syncTrouble = nil
    openGate(placement.root.path)
    await finishCopied(placement.payload.drop, placement.record)
  }

  /// The same over the file that has its name; nil where that is none to be replaced.
  private func replacing(_ placement: Placement) -> Placement? {
    guard !placement.replaces, let sight = try? Sight.look(at: placement.name, in: placement.folder.file.number),
      sight.kind != .directory
    else { return nil }
    return Placement(
      placement.payload, placement.look, placement.root, placement.folder, hold: placement.hold, name: placement.name,
      number: placement.number, replaces: true)
  }

  private func freeName(after placement: Placement) -> Placement? {
    let own = placement.payload.wishedName ?? placement.payload.drop.location.lastComponent
    let reserve = placement.payload.drop.isAccepted ? 0 : ReasonFile.suffix.utf8.count
    var number = placement.number
    while number < placement.number + 100_000 {
      number += 1
      let name = FreeName.candidate(own, number: number, limit: placement.root.nameLimit, reserve: reserve)
      if placement.folder.isFree(name, for: placement.payload.drop) {
        return Placement(
          placement.payload, placement.look, placement.root, placement.folder, hold: placement.hold, name: name,
          number: number, replaces: false)
      }
    }
    return nil
  }

  /// What has become of the source while it was copied; nil when nothing has.
  private func sourceChange(_ payload: InHand) throws(Errno) -> String? {
    switch try look(atHeld: payload.drop) {
    case .same: nil
    case .gone: "removed while it was copied"
    case .changed(let sight):
      // A link that comes or goes changes the time and not the bytes.
      sight.size == payload.drop.size && sight.modified == payload.drop.modified
        && sight.identity.inode == payload.drop.inode ? nil : "changed while it was copied"
    }
  }

  private func copyFailed(_ placement: Placement, _ trouble: CopyTrouble) async {
    var payload = placement.payload
    payload.drop.state = .claiming
    switch trouble {
    case .room(let needed):
      await waitInHand(payload, PayloadTrouble(waiting: .blocked, message: "box full (needs \(needed.formattedBytes))"))
      {
        await $0.place($1)
      }
    case .place(let error):
      gate(payload, at: placement.root.path, "'\(Escaping.escape(placement.root.path))': \(error)")
    case .payload(let error):
      await waitInHand(
        payload, PayloadTrouble(waiting: .retry, message: "it cannot be read: \(error)", isGone: error == .noEntry)
      ) {
        await $0.place($1)
      }
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
    case room(Int64)
    case place(Errno)
    case payload(Errno)
    case cancelled
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
      throw error == .noSpace || error == .quota ? .room(placement.payload.drop.size) : .place(error)
    }
    let result: FileCopy.Result
    do throws(FileCopy.Failure) {
      result = try FileCopy.copy(
        from: source.descriptor, to: target,
        digest: rules.digest == .no ? .never : rules.digest == .yes ? .always : .ifPassing, cancellation: cancellation)
    } catch {
      switch error {
      case .source(let errno): throw .payload(errno)
      case .changed: throw .payload(.again)
      case .target(let errno) where errno == .noSpace || errno == .quota: throw .room(placement.payload.drop.size)
      case .target(let errno): throw .place(errno)
      case .cancelled: throw .cancelled
      }
    }
    let warnings = FileMetadata.copy(
      from: source.descriptor, to: target, placement.payload.drop.isAccepted ? rules : .asItIs,
      of: placement.folder.file.descriptor)
    do throws(Errno) {
      if rules.durable {
        try target.sync()
        try Directory.sync(directory)
      }
      return Copied(inode: try Sight.look(at: target.number).identity.inode, digest: result.digest, warnings: warnings)
    } catch {
      throw error == .noSpace || error == .quota ? .room(placement.payload.drop.size) : .place(error)
    }
  }
}
