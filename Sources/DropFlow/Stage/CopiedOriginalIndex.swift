import DropEngine
import DropSystem

/// Knows the files that were copied, or put back by undo, and are still in their zones: they are left alone until they
/// change.
final class CopiedOriginalIndex {
  private let zones: ZoneRegistry
  private let tree: DirectoryTree
  private let inspector: PayloadInspector
  private let notes: LedgerNotes

  init(zones: ZoneRegistry, tree: DirectoryTree, inspector: PayloadInspector, notes: LedgerNotes) {
    self.zones = zones
    self.tree = tree
    self.inspector = inspector
    self.notes = notes
  }

  // MARK: - What flows report

  /// Leaves files alone that a copy is being taken of, or that undo puts back.
  func add(_ originals: [CopiedOriginal], in zone: WatchedZone) {
    for original in originals { add(original, in: zone) }
  }

  /// The same for copies that are in their places.
  func addCopied(_ originals: [CopiedOriginal], in zone: WatchedZone) {
    for original in originals {
      // It was written or replaced, and copied again, before its first copy was complete.
      if let known = zone.originals[original.location], known.id > original.id { continue }
      add(original, in: zone)
    }
  }

  private func add(_ original: CopiedOriginal, in zone: WatchedZone) {
    zone.originals[original.location] = original
    // Another file may have the name by now.
    guard let key = key(of: original.location, in: zone), let staged = zone.staging[key],
      case let holds = original.holds(for: staged.status), holds != false
    else { return }
    _ = zone.staging.lose(key)
    zones.touch(zone)
    if holds == nil { compareLater(original.location, in: zone) }
  }

  /// Takes back what was said of a file: it does not appear, or its copy is gone.
  func remove(_ id: DropID, at location: RawPath, in zone: WatchedZone) {
    guard zone.originals[location]?.id == id else { return }
    zone.originals[location] = nil
    // A file under this name is a payload of its own.
    if let key = key(of: location, in: zone) { inspector.inspect(key) }
  }

  /// Forgets the original at a location, also in the ledger.
  func forget(_ location: RawPath, in zone: WatchedZone) {
    zone.originals[location] = nil
    notes.write([.removeOriginal(zone: zone.name, location: location, of: nil)])
  }

  private func key(of location: RawPath, in zone: WatchedZone) -> PayloadKey? {
    zone.root.directory.flatMap { tree.key(of: location, from: $0) }
  }

  // MARK: - By their bytes

  /// Compares an original with its copy, because its change time says that something was done to it: to its rights, or to
  /// its bytes.
  func compareLater(_ location: RawPath, in zone: WatchedZone) {
    zone.originals.compareLater(location)
    zones.touch(zone)
  }

  /// The next comparison in a zone; one at a time.
  func nextComparison(in zone: WatchedZone) -> OriginalComparison? {
    while let location = zone.originals.nextComparison() {
      if let original = zone.originals[location] {
        return OriginalComparison(root: zone.root.path, original: original, ledger: notes.ledger)
      }
      zone.originals.endComparison(of: location)
    }
    return nil
  }

  func take(_ result: OriginalComparison.Result, of original: CopiedOriginal, in zone: WatchedZone) {
    zone.originals.endComparison(of: original.location)
    zones.touch(zone)
    // The original of another drop gets an answer of its own.
    guard var known = zone.originals[original.location], known.id == original.id else { return }
    switch result {
    case .same(let status, let digest):
      known.changed = status.changed
      known.sha256 = known.sha256 ?? digest
      zone.originals[original.location] = known
      notes.write([.putOriginal(known)])
    case .different:
      forget(original.location, in: zone)
    case .unknown:
      // It is compared again at its next change, or by the next scan.
      return
    }
    if let key = key(of: original.location, in: zone) { inspector.inspect(key) }
  }
}
