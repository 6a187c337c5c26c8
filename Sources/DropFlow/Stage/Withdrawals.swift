import DropEngine
import DropSystem

/// Writes receipts for payloads that their senders have withdrawn.
final class Withdrawals {
  private let scanner: DirectoryScanner
  private let notes: LedgerNotes

  private var zones: ZoneRegistry { scanner.zones }
  private var tree: DirectoryTree { scanner.tree }

  init(scanner: DirectoryScanner, notes: LedgerNotes) {
    self.scanner = scanner
    self.notes = notes
  }

  /// Notes payloads whose files have left their names and have not turned up elsewhere in the zone: their senders have
  /// withdrawn them.
  func note(for area: isolated StagingArea, at now: Duration) {
    // A directory on its way may bring them back.
    guard !scanner.renames.hasDirectories else { return }
    for zone in zones.changed where !zone.files.departed.isEmpty {
      guard let moment = departureMoment(of: zone, at: now) else { continue }
      let due = zone.files.departed.takeDue(at: moment)
      if !due.isEmpty { zones.touch(zone) }
      let gone = due.filter { $0.payload.isFile && !hasPayload(at: $0.location, in: zone) }
      guard !gone.isEmpty else { continue }
      let renamed = zone.staging.present(of: Set(gone.map(\.payload.status.identity)))
      let records = gone.filter { !renamed.contains($0.payload.status.identity) }.map { zone.withdrawal(of: $0) }
      guard !records.isEmpty else { continue }
      for _ in records { zone.sessions.lose() }
      let name = zone.name
      notes.write(records.flatMap { [.addReceipt($0), .removeAttempts(AttemptCount(of: $0))] }) { [weak area] in
        area?.perform { area in area.finished(records, in: area.zones[name]) }
      }
    }
  }

  /// Until when departed payloads can be judged: their files may have names by now that are not inspected yet.
  private func departureMoment(of zone: WatchedZone, at now: Duration) -> Duration? {
    if let barrier = zone.coverage.departure {
      guard barrier.isPassed else { return nil }
      zone.coverage.departure = nil
      return barrier.moment
    }
    guard let deadline = zone.files.departed.deadline, deadline <= now else { return nil }
    if zone.coverage.isInspected { return now }
    zone.coverage.departure = InspectionBarrier([zone], at: now)
    return nil
  }

  /// Whether a name has a payload again: its sender has replaced it, which is the same drop.
  private func hasPayload(at location: RawPath, in zone: WatchedZone) -> Bool {
    guard let root = zone.root.directory, let key = tree.key(of: location, from: root) else { return false }
    return zone.staging[key] != nil
  }
}

extension StagedPayload {
  /// Whether it is a file that would have been taken once it was complete.
  fileprivate var isFile: Bool { name == .ordinary && status.kind == .regular }
}

extension WatchedZone {
  /// The receipt of a payload that its sender has withdrawn.
  fileprivate func withdrawal(of entry: DepartedPayloads.Entry) -> ReceiptRecord {
    let payload = entry.payload
    return ReceiptRecord(
      id: payload.id, zone: name, location: entry.location, bytes: payload.status.size,
      operation: settings.delivery.operation, outcome: .withdrawn, evidence: nil, attempts: payload.attempts,
      firstSeen: payload.firstSeen, finished: time.wallTime, inode: payload.status.identity.inode,
      birth: payload.status.identity.birth, modified: payload.status.modified, zonePath: settings.path,
      boxPath: settings.box, rejectsPath: settings.rejects)
  }
}
