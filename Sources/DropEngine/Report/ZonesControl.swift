/// What a daemon can be asked and told over its control socket.
///
/// The control server calls it from any task; each answer is a value. Errors are ``ControlError``.
package protocol ZonesControl: Sendable {
  /// The state of the named zones, of all when none is named.
  func status(of zones: [String]) async throws(ControlError) -> StatusReport

  /// The named zones once each, then each change, newest state of a zone where several came at once.
  /// Every change of `isTargeted` is its own element. The stream ends when the daemon stops.
  func changes(of zones: [String]) async throws(ControlError) -> AsyncStream<ZoneStatus>

  /// Why a file waits or what would happen to it. `path` is absolute, and inside a zone.
  func explain(_ path: RawPath) async throws(ControlError) -> Explanation

  /// Receipts from oldest to newest, `limit` at most, of `zone` if one is named, finished at or after `since`
  /// (RFC 3339), with sequence numbers above `after`.
  func history(of zone: String?, since: String?, after: Int64, limit: Int) async throws(ControlError) -> [HistoryEntry]

  /// Ends with the first receipt that was added after `after`, or nil after `timeout`.
  func receipts(after: Int64, timeout: Duration) async throws(ControlError) -> Bool

  func pause(_ zones: [String]) async throws(ControlError)
  func resume(_ zones: [String]) async throws(ControlError)
  /// Reads the configuration again; the error says why the old one stays in force.
  func reload() async throws(ControlError)
  func retry(_ ids: [String]) async throws(ControlError)
  func release(_ ids: [String]) async throws(ControlError)
  func undo(_ ids: [String]) async throws(ControlError)
  /// Returns true once no zone is targeted and nothing is in hand, blocked or to be retried; false at the timeout.
  func wait(for zones: [String], timeout: Duration?) async throws(ControlError) -> Bool
}

/// A receipt with its place in the ledger.
package struct HistoryEntry: Hashable, Sendable, Codable {
  package var sequence: Int64
  package var receipt: Receipt

  package init(sequence: Int64, receipt: Receipt) {
    self.sequence = sequence
    self.receipt = receipt
  }
}

/// Why a payload waits, or what would happen to a file that lies in a zone.
package struct Explanation: Hashable, Sendable, Codable {
  package var zone: String
  package var location: String
  package var locationBytes: String
  /// `staged`, `in hand`, `left alone`, `taken`, `not there`.
  package var state: String
  package var waiting: Waiting?
  package var detail: String?
  package var evidence: Evidence?
  package var claimedType: String?
  /// Each rule's answer, in the order they are asked.
  package var rules: [Rule]

  package struct Rule: Hashable, Sendable, Codable {
    package var rule: String
    /// true: passes; false: refuses or leaves alone; nil: not known before the content is read.
    package var passes: Bool?
    package var detail: String

    package init(rule: String, passes: Bool?, detail: String) {
      self.rule = rule
      self.passes = passes
      self.detail = detail
    }

    private enum CodingKeys: String, CodingKey { case rule, passes, detail }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(rule, forKey: .rule)
      try container.encode(passes, forKey: .passes)
      try container.encode(detail, forKey: .detail)
    }
  }

  package init(
    zone: String, location: String, locationBytes: String, state: String, waiting: Waiting? = nil,
    detail: String? = nil, evidence: Evidence? = nil, claimedType: String? = nil, rules: [Rule] = []
  ) {
    self.zone = zone
    self.location = location
    self.locationBytes = locationBytes
    self.state = state
    self.waiting = waiting
    self.detail = detail
    self.evidence = evidence
    self.claimedType = claimedType
    self.rules = rules
  }

  private enum CodingKeys: String, CodingKey {
    case zone, location, locationBytes, state, waiting, detail, evidence, claimedType, rules
  }

  /// Writes nulls too: scripts rely on every key being there.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(zone, forKey: .zone)
    try container.encode(location, forKey: .location)
    try container.encode(locationBytes, forKey: .locationBytes)
    try container.encode(state, forKey: .state)
    try container.encode(waiting, forKey: .waiting)
    try container.encode(detail, forKey: .detail)
    try container.encode(evidence, forKey: .evidence)
    try container.encode(claimedType, forKey: .claimedType)
    try container.encode(rules, forKey: .rules)
  }
}

/// Why a request was not carried out.
package enum ControlError: Error, Hashable, Sendable {
  case noSuchZone(String)
  case notInAnyZone(String)
  /// `message` says why, such as «nothing with this id», «the box has no such file any more».
  case notPossible(id: String, message: String)
  case configuration(String)
  case stopping
}
