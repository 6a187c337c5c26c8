/// A receipt as the ledger keeps it: what it shows, and what `retry` and `undo` need.
package struct ReceiptRecord: Hashable, Sendable {
  package var sequence: Int64
  package var id: DropID
  package var zone: String
  package var location: RawPath
  package var bytes: Int64
  package var sha256: String?
  package var type: String?
  package var claimedType: String?
  package var grade: Grade?
  package var operation: DeliveryRules.Operation
  package var outcome: Receipt.Outcome
  package var code: ReasonCode?
  package var message: String?
  /// Absolute.
  package var place: RawPath?
  package var evidence: Evidence?
  package var attempts: Int
  package var firstSeen: Int64
  package var released: Int64?
  package var finished: Int64
  package var afterCrash: Bool
  package var warnings: [String]
  package var handler: Receipt.HandlerReport?
  package var inode: UInt64
  package var birth: Int64
  package var modified: Int64
  package var zonePath: String
  package var boxPath: String
  package var rejectsPath: String
  /// Whether the payload replaced a file that was at its place.
  package var replaced: Bool

  package init(
    sequence: Int64 = 0, id: DropID, zone: String, location: RawPath, bytes: Int64, sha256: String? = nil,
    type: String? = nil, claimedType: String? = nil, grade: Grade? = nil, operation: DeliveryRules.Operation,
    outcome: Receipt.Outcome, code: ReasonCode? = nil, message: String? = nil, place: RawPath? = nil,
    evidence: Evidence? = nil, attempts: Int = 0, firstSeen: Int64, released: Int64? = nil, finished: Int64,
    afterCrash: Bool = false, warnings: [String] = [], handler: Receipt.HandlerReport? = nil, inode: UInt64,
    birth: Int64, modified: Int64, zonePath: String, boxPath: String, rejectsPath: String, replaced: Bool = false
  ) {
    self.sequence = sequence
    self.id = id
    self.zone = zone
    self.location = location
    self.bytes = bytes
    self.sha256 = sha256
    self.type = type
    self.claimedType = claimedType
    self.grade = grade
    self.operation = operation
    self.outcome = outcome
    self.code = code
    self.message = message
    self.place = place
    self.evidence = evidence
    self.attempts = attempts
    self.firstSeen = firstSeen
    self.released = released
    self.finished = finished
    self.afterCrash = afterCrash
    self.warnings = warnings
    self.handler = handler
    self.inode = inode
    self.birth = birth
    self.modified = modified
    self.zonePath = zonePath
    self.boxPath = boxPath
    self.rejectsPath = rejectsPath
    self.replaced = replaced
  }

  /// The receipt of a drop that is finished.
  package init(
    _ drop: Drop, outcome: Receipt.Outcome, code: ReasonCode?, message: String?, place: RawPath?, finished: Int64,
    replaced: Bool = false
  ) {
    self.init(
      id: drop.id, zone: drop.zone, location: drop.location, bytes: drop.size, sha256: drop.sha256, type: drop.type,
      claimedType: drop.claimedType, grade: drop.grade, operation: drop.operation, outcome: outcome, code: code,
      message: message, place: place, evidence: drop.evidence, attempts: drop.attempts, firstSeen: drop.firstSeen,
      released: drop.released, finished: finished, afterCrash: drop.afterCrash, warnings: drop.warnings,
      handler: drop.handler, inode: drop.copyInode ?? drop.inode, birth: drop.copyInode == nil ? drop.birth : 0,
      modified: drop.modified, zonePath: drop.zonePath, boxPath: drop.boxPath, rejectsPath: drop.rejectsPath,
      replaced: replaced)
  }

  /// The receipt of a drop that was put where its verdict sent it; `place` is nil if a reader has already taken it.
  package init(verdictOf drop: Drop, place: RawPath?, finished: Int64, replaced: Bool = false) {
    var code: ReasonCode?
    var message: String?
    switch drop.verdict {
    case .rejected(let refusal, let text): (code, message) = (refusal, text)
    case .accepted(let text): message = text
    case nil: break
    }
    self.init(
      drop, outcome: code?.outcome ?? .delivered, code: code, message: message, place: place, finished: finished,
      replaced: replaced)
  }

  /// What clients see of it.
  package var receipt: Receipt {
    Receipt(
      id: id.description, zone: zone, name: location.lastComponent.description, location: location.description,
      locationBytes: Base64.encode(location.bytes), bytes: bytes, sha256: sha256, type: type,
      claimedType: claimedType, grade: grade, operation: operation.rawValue, outcome: outcome,
      reason: code.map { Receipt.Reason(code: $0, message: message ?? "") }, place: place?.description,
      placeBytes: place.map { Base64.encode($0.bytes) }, evidence: evidence, attempts: attempts,
      firstSeen: Timestamp.text(firstSeen), released: released.map(Timestamp.text),
      finished: Timestamp.text(finished), afterCrash: afterCrash, warnings: warnings, handler: handler)
  }
}
