import DropEngine
package import DropSystem
internal import Synchronization

/// Zones, boxes and rejects that were mount points when they were opened, those of all flows together: nothing is put
/// below one that is none now, and what is not there says nothing.
package final class MountPoints: Sendable {
  private let ledger: Ledger
  private let paths: Mutex<Set<String>>

  /// Those that the ledger knows.
  package init(_ ledger: Ledger) throws(LedgerError) {
    self.ledger = ledger
    paths = Mutex(try ledger.mountPoints())
  }

  package func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }

  /// Counts at once, and is in the ledger when this returns.
  package func remember(_ path: String) async {
    guard paths.withLock({ $0.insert(path).inserted }) else { return }
    try? await ledger.commit([.setMountPoint(path, true)])
  }

  /// Somebody vouches for what these paths lead to now.
  package func forget(_ places: [String]) async {
    paths.withLock { $0.subtract(places) }
    try? await ledger.commit(places.map { .setMountPoint($0, false) })
  }
}
