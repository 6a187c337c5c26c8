/// The requests that a daemon answers on its control socket.
///
/// The control server calls these functions from any task.
package protocol ZonesControl: Sendable {
  /// Returns the state of the named zones, or of all zones if none is named.
  func status(of zones: [String]) async throws(ControlError) -> StatusReport

  /// Returns a stream with each of the named zones once, and then each change. If a zone changes several times at once, only
  /// the newest state is included, but every change of `isTargeted` is a separate element. The stream ends when the daemon
  /// stops.
  func changes(of zones: [String]) async throws(ControlError) -> AsyncStream<ZoneStatus>

  /// Explains why a file is waiting, or what would happen to it. `path` is absolute, and inside a zone.
  func explain(_ path: RawPath) async throws(ControlError) -> Explanation

  /// Returns at most `limit` receipts, oldest first: those of `zone` if one is named, which finished at or after `since`
  /// (RFC 3339) and have sequence numbers above `after`.
  func history(of zone: String?, since: String?, after: Int64, limit: Int) async throws(ControlError) -> [HistoryEntry]

  /// Returns true once there is a receipt with a sequence number above `after`; false at the timeout.
  func receipts(after: Int64, timeout: Duration) async throws(ControlError) -> Bool

  func pause(_ zones: [String]) async throws(ControlError)
  func resume(_ zones: [String]) async throws(ControlError)
  /// Reads the configuration again. If it throws, the error says why the old configuration stays in force.
  func reload() async throws(ControlError)
  func retry(_ ids: [String]) async throws(ControlError)
  func release(_ ids: [String]) async throws(ControlError)
  func undo(_ ids: [String]) async throws(ControlError)
  /// Returns true once no zone is targeted and no payload is in hand, blocked or waiting to be retried; false at the
  /// timeout.
  func wait(for zones: [String], timeout: Duration?) async throws(ControlError) -> Bool
}

/// A receipt with its sequence number in the ledger.
package struct HistoryEntry: Hashable, Sendable, Codable {
  package var sequence: Int64
  package var receipt: Receipt

  package init(sequence: Int64, receipt: Receipt) {
    self.sequence = sequence
    self.receipt = receipt
  }
}

/// The reason why a payload is waiting, or what would happen to a file in a zone.
package struct Explanation: Hashable, Sendable, Codable {
  package var zone: String
  package var location: String
  package var locationBytes: String
  package var state: State
  package var waiting: Waiting?
  package var detail: String?
  package var evidence: Evidence?
  package var claimedType: String?
  /// The result of each rule, in the order of the rules.
  package var rules: [Rule]

  package enum State: String, Hashable, Sendable, Codable {
    case staged, taken
    /// Between claim and receipt.
    case inHand = "in hand"
    /// There, and not staged; the rules say why.
    case leftAlone = "left alone"
    case notThere = "not there"
  }

  package struct Rule: Hashable, Sendable, Codable {
    package var rule: String
    /// True if the file passes, false if it is refused or left alone, nil if that is unknown before the content is read.
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
    zone: String, location: String, locationBytes: String, state: State, waiting: Waiting? = nil,
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

  /// Encodes nulls too, because scripts rely on every key being present.
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

/// The reason why a request was not carried out.
package enum ControlError: Error, Hashable, Sendable {
  case noSuchZone(String)
  case notInAnyZone(String)
  /// `message` says why, for example "there is no drop with this id".
  case notPossible(id: String, message: String)
  case configuration(String)
  case stopping
}
