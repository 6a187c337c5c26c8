/// How many payloads a zone has accepted and rejected since its ledger was begun.
package struct ZoneTotals: Hashable, Sendable {
  package var accepted: Int
  package var rejected: Int

  package init(accepted: Int = 0, rejected: Int = 0) {
    self.accepted = accepted
    self.rejected = rejected
  }
}
