import DropEngine
import DropSystem

/// Finishes or takes back what a stop interrupted, before the first scan of the zone: a row in, a payload with a stage
/// ahead of it out.
final class RecoveryStage {
  private let context: FlowContext
  private let runner: StepRunner

  init(_ context: FlowContext, _ runner: StepRunner) {
    self.context = context
    self.runner = runner
  }

  nonisolated(nonsending) func run(_ payload: ClaimedPayload) async -> (ClaimedPayload, [ReceiptRecord]) {
    var payloads = [payload]
    var receipts: [ReceiptRecord] = []
    while true {
      receipts += await runner.run(&payloads, in: .recovery)
      guard payloads[0].delivery.stage == .recovery else { return (payloads[0], receipts) }
      let (drop, context) = (payloads[0].drop, context)
      payloads[0].receive(await offActor { NameFinder(context: context).find(drop) })
    }
  }

  // MARK: - What has no row

  /// Rows for what lies in holds and is in no ledger: a ledger was lost. Where there are rows, they say where their
  /// holds are.
  ///
  /// Two zones may share a hold, and the other one is at work: what it took or placed in the meantime is told by a
  /// second look, at the ledger first and then at the hold.
  nonisolated(nonsending) func findOrphans() async -> [ClaimedPayload] {
    var orphans: [ClaimedPayload] = []
    for path in context.holds.everywhere() {
      guard let hold = try? Directory(path, noFollow: true), let status = try? hold.status(),
        status.owner == effectiveUser()
      else { continue }
      await context.observer.exclude(status.identity)
      orphans += findOrphans(in: hold, path)
    }
    return orphans
  }

  private func findOrphans(in hold: Directory, _ path: String) -> [ClaimedPayload] {
    let entries = entries(of: hold)
    guard !entries.isEmpty,
      let rows = try? context.ledger.drops()
    else { return [] }
    // Whatever a drop in hand has there is its own.
    let known = Set(rows.map(\.id))
    let knownEntries = Set(rows.map(\.entry))
    var taken: Set<DropID> = []
    var orphans: [ClaimedPayload] = []
    for (name, id) in entries {
      guard let entry = name.string, !known.contains(id), !knownEntries.contains(entry),
        let held = try? hold.status(of: name), held.kind == .regular
      else { continue }
      let own = hasOutcome(id) || taken.contains(id) ? context.time.newID() : id
      taken.insert(own)
      orphans.append(
        ClaimedPayload(
          Delivery(placingOrphan: orphan(own, entry: entry, held, path), policy: context.policy), time: context.time))
    }
    guard !orphans.isEmpty else { return [] }
    context.warning(
      "\(orphans.count) payloads in the hold '\(Escaping.escape(path))' are in no ledger: they go to the rejects")
    return orphans
  }

  /// Names that carry an id; what a handler has made of a payload has the id in front. Removes what trials left.
  private func entries(of hold: Directory) -> [(name: RawPath, id: DropID)] {
    var entries: [(name: RawPath, id: DropID)] = []
    guard let names = try? hold.names() else { return [] }
    for name in names {
      if name.bytes.starts(with: Directory.probePrefix.utf8) {
        try? hold.unlink(name)
      } else if let id = DropID(String(name.string?.prefix { $0 != "." } ?? "")) {
        entries.append((name, id))
      }
    }
    return entries
  }

  /// An id that has had its outcome keeps it.
  private func hasOutcome(_ id: DropID) -> Bool {
    do throws(LedgerError) {
      return try context.ledger.outcome(of: id) != nil
    } catch {
      return true
    }
  }

  private func orphan(_ id: DropID, entry: String, _ status: FileStatus, _ hold: String) -> Drop {
    let settings = context.settings
    var drop = Drop(
      id: id, zone: context.name, location: RawPath("recovered-" + entry), state: .placing, operation: .move,
      zonePath: settings.path, boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold, entry: entry,
      inode: status.identity.inode, birth: status.identity.birth, size: status.size, modified: status.modified,
      firstSeen: context.time.wallTime, released: context.time.wallTime, evidence: .quietOnly)
    drop.changed = status.changed
    drop.links = status.links
    drop.holdIdentity = Drop.identity(ofHold: hold)?.stored
    drop.verdict = .rejected(.ledgerLost, message: "it lay in the hold and the ledger did not know it")
    return drop
  }
}
