import DropEngine
import DropSystem

/// Performs the steps that every stage has: commits, syncs, renames and removals. Each is shared by all payloads of a
/// batch that are at it.
struct StepRunner: Sendable {
  let context: FlowContext
  let files: PayloadFiles

  init(_ context: FlowContext) {
    self.context = context
    files = PayloadFiles(context: context)
  }

  /// How much else is going on, which decides on whose thread a step waits for the disk.
  struct Load: Sendable {
    /// Whether so little is under way that the caller's own thread may wait.
    var isLight = false
    /// Bytes of others that a sync of the whole file system would wait for.
    var unsyncedElse: Int64 = 0
  }

  /// Performs steps for as long as a payload is in `stage` and its next step is a shared one.
  ///
  /// - Returns: The receipts that were committed.
  nonisolated(nonsending) func run(
    _ payloads: inout [ClaimedPayload], in stage: Delivery.Stage, _ load: Load = Load()
  ) async -> [ReceiptRecord] {
    var receipts: [ReceiptRecord] = []
    while true {
      var isDone = true
      for kind in Delivery.Step.Kind.allCases {
        let indices = payloads.indices.filter {
          payloads[$0].delivery.step.kind == kind && payloads[$0].delivery.stage == stage && !isClaim(payloads[$0])
        }
        if indices.isEmpty { continue }
        isDone = false
        switch kind {
        case .sync: await sync(&payloads, indices, load)
        case .commit: receipts += await commit(&payloads, indices, load)
        case .syncDirectory: await syncDirectories(&payloads, indices, load)
        case .remove, .writeReason: await perform(&payloads, indices)
        case .rename: await rename(&payloads, indices)
        }
      }
      if isDone { return receipts }
    }
  }

  /// Performs one round of commits, and nothing else.
  nonisolated(nonsending) func runOnce(
    _ payloads: inout [ClaimedPayload], in stage: Delivery.Stage
  ) async -> [ReceiptRecord] {
    let indices = payloads.indices.filter {
      payloads[$0].delivery.step.kind == .commit && payloads[$0].delivery.stage == stage
    }
    return indices.isEmpty ? [] : await commit(&payloads, indices, Load())
  }

  /// Whether the next step is the rename out of the zone, which takes more care than others.
  private func isClaim(_ payload: ClaimedPayload) -> Bool {
    guard payload.key != nil, case .rename(.origin, to: .hold, _) = payload.delivery.step else { return false }
    return true
  }

  // MARK: - Files and names

  nonisolated(nonsending) private func sync(
    _ payloads: inout [ClaimedPayload], _ indices: [Int], _ load: Load
  ) async {
    var open: [(index: Int, file: OpenFile)] = []
    for index in indices {
      guard case .sync(let name) = payloads[index].delivery.step else { continue }
      let file = name == .temporary || name == .halfCopy ? payloads[index].copy : payloads[index].file
      if let file {
        open.append((index, file))
      } else {
        reopen(&payloads[index])
        if let file = payloads[index].file { open.append((index, file)) }
      }
    }
    let isAlone = load.isLight && open.allSatisfy { payloads[$0.index].drop.size <= Syncing.fewBytes }
    let errors = await Syncing.sync(open.map(\.file), unsyncedElse: load.unsyncedElse, isAlone: isAlone)
    for (number, entry) in open.enumerated() {
      let error = errors[number].flatMap { $0.leavesUnwritten ? $0 : nil }
      payloads[entry.index].receive(error.map { .failed(.init($0)) } ?? .done)
    }
  }

  /// Opens a payload in the hold again whose step needs it; where that fails, the step has failed.
  private func reopen(_ payload: inout ClaimedPayload) {
    do throws(FileError) {
      payload.file = try payload.drop.openHeld().file
    } catch {
      payload.receive(.failed(.init(held: payload.drop, error)))
    }
  }

  nonisolated(nonsending) private func perform(_ payloads: inout [ClaimedPayload], _ indices: [Int]) async {
    let files = files
    let events = await serialMap(indices.map { payloads[$0] }) { payload in
      switch payload.delivery.step {
      case .remove(let name): files.remove(name, of: payload)
      default: files.writeReason(of: payload)
      }
    }
    for (index, event) in zip(indices, events) { payloads[index].receive(event) }
  }

  /// One after the other: a directory takes one rename at a time.
  nonisolated(nonsending) private func rename(_ payloads: inout [ClaimedPayload], _ indices: [Int]) async {
    let files = files
    for index in indices {
      if case .rename(_, to: .origin, _) = payloads[index].delivery.step { await announceReturn(of: payloads[index]) }
    }
    let events = await serialMap(indices.map { payloads[$0] }) { payload -> Delivery.Event in
      guard case .rename(let name, to: let newName, let replacing) = payload.delivery.step else { return .done }
      return files.rename(name, to: newName, replacing: replacing, payload)
    }
    for (index, event) in zip(indices, events) { payloads[index].receive(event) }
  }

  /// Each directory once, whichever payloads it is for.
  nonisolated(nonsending) private func syncDirectories(
    _ payloads: inout [ClaimedPayload], _ indices: [Int], _ load: Load
  ) async {
    let files = files
    let batch = indices.map { payloads[$0] }
    let events = await offActor { files.syncDirectories(of: batch) }
    for (index, event) in zip(indices, events) { payloads[index].receive(event) }
  }

  // MARK: - The ledger

  nonisolated(nonsending) private func commit(
    _ payloads: inout [ClaimedPayload], _ indices: [Int], _ load: Load
  ) async -> [ReceiptRecord] {
    var changes: [LedgerChange] = []
    for index in indices {
      if case .commit(let own) = payloads[index].delivery.step { changes += own }
    }
    // Known before a name appears in the zone: whoever sees it there must not take it.
    await noteOriginals(changes)
    for index in indices where payloads[index].drop.original != nil { await announceOriginal(of: payloads[index]) }
    do throws(LedgerError) {
      try await context.ledger.commit(changes, isAlone: load.isLight && indices.count < concurrencyThreshold)
    } catch {
      if case .noRoom = error {} else { context.observer.ledgerFailed(error) }
      for index in indices { payloads[index].receive(.failed(.init(error))) }
      return []
    }
    for index in indices { payloads[index].receive(.done) }
    return await report(changes)
  }

  /// Tells staging what is about to have its name in the zone again.
  nonisolated(nonsending) private func announceReturn(of payload: ClaimedPayload) async {
    if payload.drop.source != nil { return await context.observer.noted([payload.delivery.undoNote]) }
    guard payload.drop.state == .returning, let held = try? payload.drop.openHeld() else { return }
    var origin = StagedPayload.Origin(payload.drop)
    if let (message, delay) = payload.delivery.returnReason {
      origin.holdBack(message, until: context.time.now + delay, back: delay)
    }
    await context.observer.expectReturn(held.status.identity, origin)
  }

  /// Lets the original of a copy that is about to be forgotten be what it was before: staged. One that has changed since
  /// is not held back.
  nonisolated(nonsending) private func announceOriginal(of payload: ClaimedPayload) async {
    guard case .commit(let changes) = payload.delivery.step, let copied = payload.drop.original,
      changes.contains(where: { if case .removeOriginal = $0 { true } else { false } }),
      let status = try? Directory(payload.drop.zonePath).status(at: payload.drop.location),
      status.identity.matches(inode: copied.inode, birth: copied.birth)
    else { return }
    var origin = StagedPayload.Origin(payload.drop)
    if let (message, delay) = payload.delivery.returnReason, status.modified == copied.modified,
      status.changed == copied.changed
    {
      origin.holdBack(message, until: context.time.now + delay, back: delay)
    }
    await context.observer.expectReturn(status.identity, origin)
  }

  nonisolated(nonsending) private func noteOriginals(_ changes: [LedgerChange]) async {
    var notes: [CopiedOriginal] = []
    for change in changes { if case .putOriginal(let note) = change { notes.append(note) } }
    if !notes.isEmpty { await context.observer.noted(notes) }
  }

  /// Tells staging of the notes that are on the disk now, and returns the receipts.
  nonisolated(nonsending) private func report(_ changes: [LedgerChange]) async -> [ReceiptRecord] {
    var receipts: [ReceiptRecord] = []
    var copied: [CopiedOriginal] = []
    for change in changes {
      switch change {
      case .addReceipt(let record): receipts.append(record)
      case .putCopiedOriginal(let note): copied.append(note)
      case .removeOriginal(_, let location, let id?): await context.observer.notComing(id, at: location)
      default: break
      }
    }
    if !copied.isEmpty { await context.observer.copied(copied) }
    return receipts
  }
}

extension StagedPayload.Origin {
  fileprivate init(_ drop: Drop) {
    self.init(
      id: drop.id, firstSeen: drop.firstSeen, attempts: drop.attempts, starts: drop.starts, ordinal: drop.ordinal)
  }
}

extension PayloadFiles {
  /// Syncs each directory that the payloads' steps name, once, and returns what came of each payload's step.
  ///
  /// A directory that cannot be synced at all counts as synced, and so does one that has been removed.
  func syncDirectories(of payloads: [ClaimedPayload]) -> [Delivery.Event] {
    var results: [FileIdentity: Delivery.Event] = [:]
    var known: [ObjectIdentifier: FileIdentity] = [:]
    return payloads.map { payload in
      guard case .syncDirectory(let name) = payload.delivery.step else { return .done }
      do throws(FileError) {
        let directory = try directory(of: name, payload)
        let id = ObjectIdentifier(directory)
        let identity: FileIdentity
        if let found = known[id] { identity = found } else { identity = try directory.status().identity }
        // One that only this step has open is closed after it, and another may get its identifier.
        if payload.hold === directory || payload.folder?.directory === directory { known[id] = identity }
        if let result = results[identity] { return result }
        try directory.syncWherePossible()
        results[identity] = .done
        return .done
      } catch {
        return event(ofSyncing: name, error, payload)
      }
    }
  }

  private func event(ofSyncing name: Delivery.Name, _ error: FileError, _ payload: ClaimedPayload) -> Delivery.Event {
    var failure = Delivery.Failure(error)
    if failure.kind == .otherFileSystem { failure.kind = .missing }
    // What is gone with its directory needs no sync; the names of a payload in its place do.
    if failure.kind == .missing, payload.delivery.toleratesMissing(name) { return .done }
    return .failed(failure)
  }
}
