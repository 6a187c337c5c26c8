/// The published state of a zone, as shown by `status`.
package struct ZoneStatus: Hashable, Sendable, Codable {
  package var name: String
  package var path: String
  package var box: String
  package var rejects: String
  package var state: State
  package var isTargeted: Bool
  /// move, copy or forbidden.
  package var operation: String
  package var reason: String?
  package var title: String
  package var hint: String
  package var symbol: String
  package var tint: String
  /// The title, hint, state and counts in one sentence, for a screen reader.
  package var label: String
  package var itemsCount: Int
  package var payloadBytes: Int64
  package var inHand: Int
  package var accepted: Int
  package var rejected: Int
  package var staged: [StagedStatus]
  package var last: Receipt?

  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    case idle, targeted, paused, blocked, unavailable
  }

  package init(
    name: String, path: String, box: String, rejects: String, state: State, isTargeted: Bool, operation: String,
    reason: String?, title: String, hint: String, symbol: String, tint: String, label: String, itemsCount: Int,
    payloadBytes: Int64, inHand: Int, accepted: Int, rejected: Int, staged: [StagedStatus], last: Receipt?
  ) {
    self.name = name
    self.path = path
    self.box = box
    self.rejects = rejects
    self.state = state
    self.isTargeted = isTargeted
    self.operation = operation
    self.reason = reason
    self.title = title
    self.hint = hint
    self.symbol = symbol
    self.tint = tint
    self.label = label
    self.itemsCount = itemsCount
    self.payloadBytes = payloadBytes
    self.inHand = inHand
    self.accepted = accepted
    self.rejected = rejected
    self.staged = staged
    self.last = last
  }

  private enum CodingKeys: String, CodingKey {
    case name, path, box, rejects, state, isTargeted, operation, reason, title, hint, symbol, tint, label
    case itemsCount, payloadBytes, inHand, accepted, rejected, staged, last
  }

  /// Encodes nulls too, because scripts rely on every key being present.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(path, forKey: .path)
    try container.encode(box, forKey: .box)
    try container.encode(rejects, forKey: .rejects)
    try container.encode(state, forKey: .state)
    try container.encode(isTargeted, forKey: .isTargeted)
    try container.encode(operation, forKey: .operation)
    try container.encode(reason, forKey: .reason)
    try container.encode(title, forKey: .title)
    try container.encode(hint, forKey: .hint)
    try container.encode(symbol, forKey: .symbol)
    try container.encode(tint, forKey: .tint)
    try container.encode(label, forKey: .label)
    try container.encode(itemsCount, forKey: .itemsCount)
    try container.encode(payloadBytes, forKey: .payloadBytes)
    try container.encode(inHand, forKey: .inHand)
    try container.encode(accepted, forKey: .accepted)
    try container.encode(rejected, forKey: .rejected)
    try container.encode(staged, forKey: .staged)
    try container.encode(last, forKey: .last)
  }
}

/// The published state of the daemon itself.
package struct DaemonStatus: Hashable, Sendable, Codable {
  package var version: String
  package var pid: Int32
  /// The number of watched directories in zones.
  package var watches: Int
  package var watchLimit: Int
  package var overflows: Int
  package var libmagic: String
  package var mimeInfo: String

  package init(
    version: String, pid: Int32, watches: Int, watchLimit: Int, overflows: Int, libmagic: String, mimeInfo: String
  ) {
    self.version = version
    self.pid = pid
    self.watches = watches
    self.watchLimit = watchLimit
    self.overflows = overflows
    self.libmagic = libmagic
    self.mimeInfo = mimeInfo
  }
}

/// The whole output of `status --json`.
package struct StatusReport: Hashable, Sendable, Codable {
  package var daemon: DaemonStatus
  package var zones: [ZoneStatus]

  package init(daemon: DaemonStatus, zones: [ZoneStatus]) {
    self.daemon = daemon
    self.zones = zones
  }
}

/// A line of `status --watch --json`.
package struct ZoneChange: Hashable, Sendable, Codable {
  /// Counts up from 1 on each connection.
  package var n: Int
  package var at: String
  package var zone: ZoneStatus

  package init(n: Int, at: String, zone: ZoneStatus) {
    self.n = n
    self.at = at
    self.zone = zone
  }
}
