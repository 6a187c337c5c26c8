/// The keys of the daemon's own values in the ledger.
package enum LedgerKey {
  package static let boot = "boot"
  package static let stop = "stop"
  package static let cleanStop = "clean"

  package static func paused(_ zone: String) -> String { "paused " + zone }
}

extension LedgerChange {
  package static func setPaused(_ zone: String, _ isPaused: Bool) -> LedgerChange {
    .setMeta(LedgerKey.paused(zone), isPaused ? "yes" : nil)
  }

  /// The machine's boot during which the daemon starts.
  package static func setBoot(_ id: String) -> LedgerChange { .setMeta(LedgerKey.boot, id) }

  /// Whether the daemon has ended in order.
  package static func setCleanStop(_ isClean: Bool) -> LedgerChange {
    .setMeta(LedgerKey.stop, isClean ? LedgerKey.cleanStop : nil)
  }
}
