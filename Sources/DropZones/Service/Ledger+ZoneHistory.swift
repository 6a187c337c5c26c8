import DropEngine
import DropFlow
import DropSystem

extension Ledger {
  /// What the ledger contains about a zone.
  func history(of zone: String) throws(LedgerError) -> ZoneHistory {
    var history = ZoneHistory()
    history.attempts = try attempts(in: zone)
    history.originals = try originals(in: zone)
    history.totals = try totals(of: zone)
    history.last = try lastReceipt(of: zone)?.receipt
    history.isPaused = try isPaused(zone)
    return history
  }
}
