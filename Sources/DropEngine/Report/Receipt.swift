/// The ledger's record of a drop, in the form that scripts read.
///
/// It is encoded as a JSON object in which every key is present; unknown values are null.
package struct Receipt: Hashable, Sendable, Codable {
  package var id: String
  package var zone: String
  package var name: String
  /// The path relative to the zone, escaped for display.
  package var location: String
  /// The exact location, in base64.
  package var locationBytes: String
  package var bytes: Int64
  /// The digest as 64 lower-case hexadecimal digits.
  package var sha256: String?
  package var type: String?
  package var claimedType: String?
  package var grade: Grade?
  package var operation: String
  package var outcome: Outcome
  package var reason: Reason?
  /// The absolute path of the payload, escaped for display.
  package var place: String?
  package var placeBytes: String?
  package var evidence: Evidence?
  package var attempts: Int
  /// A time in RFC 3339, in UTC, with milliseconds; so are the other times.
  package var firstSeen: String
  package var released: String?
  package var finished: String
  /// Whether the payload was in its zone when the machine crashed or lost power.
  package var afterCrash: Bool
  /// Metadata that could not be kept or set, such as the owner.
  package var warnings: [String]
  /// How the handler ended, if one ran.
  package var handler: HandlerReport?

  package enum Outcome: String, Hashable, Sendable, Codable {
    case delivered, rejected, withdrawn, failed, taken, undone
  }

  package struct Reason: Hashable, Sendable, Codable {
    package var code: ReasonCode
    package var message: String

    package init(code: ReasonCode, message: String) {
      self.code = code
      self.message = message
    }
  }

  package struct HandlerReport: Hashable, Sendable, Codable {
    /// The exit status, unless a signal killed it.
    package var exit: Int32?
    package var signal: Int32?
    /// The output, truncated and escaped.
    package var output: String

    package init(exit: Int32?, signal: Int32?, output: String) {
      self.exit = exit
      self.signal = signal
      self.output = output
    }

    private enum CodingKeys: String, CodingKey { case exit, signal, output }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(exit, forKey: .exit)
      try container.encode(signal, forKey: .signal)
      try container.encode(output, forKey: .output)
    }
  }

  package init(
    id: String, zone: String, name: String, location: String, locationBytes: String, bytes: Int64,
    sha256: String? = nil, type: String? = nil, claimedType: String? = nil, grade: Grade? = nil,
    operation: String, outcome: Outcome, reason: Reason? = nil, place: String? = nil, placeBytes: String? = nil,
    evidence: Evidence? = nil, attempts: Int, firstSeen: String, released: String? = nil, finished: String,
    afterCrash: Bool = false, warnings: [String] = [], handler: HandlerReport? = nil
  ) {
    self.id = id
    self.zone = zone
    self.name = name
    self.location = location
    self.locationBytes = locationBytes
    self.bytes = bytes
    self.sha256 = sha256
    self.type = type
    self.claimedType = claimedType
    self.grade = grade
    self.operation = operation
    self.outcome = outcome
    self.reason = reason
    self.place = place
    self.placeBytes = placeBytes
    self.evidence = evidence
    self.attempts = attempts
    self.firstSeen = firstSeen
    self.released = released
    self.finished = finished
    self.afterCrash = afterCrash
    self.warnings = warnings
    self.handler = handler
  }

  private enum CodingKeys: String, CodingKey {
    case id, zone, name, location, locationBytes, bytes, sha256, type, claimedType, grade, operation, outcome
    case reason, place, placeBytes, evidence, attempts, firstSeen, released, finished, afterCrash, warnings, handler
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    zone = try container.decode(String.self, forKey: .zone)
    name = try container.decode(String.self, forKey: .name)
    location = try container.decode(String.self, forKey: .location)
    locationBytes = try container.decode(String.self, forKey: .locationBytes)
    bytes = try container.decode(Int64.self, forKey: .bytes)
    sha256 = try container.decodeIfPresent(String.self, forKey: .sha256)
    type = try container.decodeIfPresent(String.self, forKey: .type)
    claimedType = try container.decodeIfPresent(String.self, forKey: .claimedType)
    grade = try container.decodeIfPresent(Grade.self, forKey: .grade)
    operation = try container.decode(String.self, forKey: .operation)
    outcome = try container.decode(Outcome.self, forKey: .outcome)
    reason = try container.decodeIfPresent(Reason.self, forKey: .reason)
    place = try container.decodeIfPresent(String.self, forKey: .place)
    placeBytes = try container.decodeIfPresent(String.self, forKey: .placeBytes)
    evidence = try container.decodeIfPresent(Evidence.self, forKey: .evidence)
    attempts = try container.decode(Int.self, forKey: .attempts)
    firstSeen = try container.decode(String.self, forKey: .firstSeen)
    released = try container.decodeIfPresent(String.self, forKey: .released)
    finished = try container.decode(String.self, forKey: .finished)
    afterCrash = try container.decodeIfPresent(Bool.self, forKey: .afterCrash) ?? false
    warnings = try container.decodeIfPresent([String].self, forKey: .warnings) ?? []
    handler = try container.decodeIfPresent(HandlerReport.self, forKey: .handler)
  }

  /// Encodes nulls too, because scripts rely on every key being present. The last three keys are encoded only if set.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(zone, forKey: .zone)
    try container.encode(name, forKey: .name)
    try container.encode(location, forKey: .location)
    try container.encode(locationBytes, forKey: .locationBytes)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(sha256, forKey: .sha256)
    try container.encode(type, forKey: .type)
    try container.encode(claimedType, forKey: .claimedType)
    try container.encode(grade, forKey: .grade)
    try container.encode(operation, forKey: .operation)
    try container.encode(outcome, forKey: .outcome)
    try container.encode(reason, forKey: .reason)
    try container.encode(place, forKey: .place)
    try container.encode(placeBytes, forKey: .placeBytes)
    try container.encode(evidence, forKey: .evidence)
    try container.encode(attempts, forKey: .attempts)
    try container.encode(firstSeen, forKey: .firstSeen)
    try container.encode(released, forKey: .released)
    try container.encode(finished, forKey: .finished)
    if afterCrash { try container.encode(afterCrash, forKey: .afterCrash) }
    if !warnings.isEmpty { try container.encode(warnings, forKey: .warnings) }
    try container.encodeIfPresent(handler, forKey: .handler)
  }
}

/// The reason why a payload was not delivered.
package enum ReasonCode: String, Hashable, Sendable, Codable, CaseIterable {
  case empty, type, size, items, name
  case hardLinked = "hard-linked"
  case specialMember = "special-member"
  case handler
  case handlerFailed = "handler-failed"
  case crashes, changed
  case boxName = "box-name"
  case duplicate
  case ledgerLost = "ledger-lost"
  case damagedByPowerCut = "damaged-by-power-cut"

  /// The outcome that goes with this reason; `failed` means that the payload was not refused.
  package var outcome: Receipt.Outcome {
    switch self {
    case .handlerFailed, .crashes, .changed, .ledgerLost, .damagedByPowerCut: .failed
    case .empty, .type, .size, .items, .name, .hardLinked, .specialMember, .handler, .boxName, .duplicate: .rejected
    }
  }
}

/// The evidence that no process is writing to a payload.
package enum Evidence: String, Hashable, Sendable, Codable, CaseIterable {
  case lease
  /// A lease on a file system on which memory maps are not detected (overlay).
  case leaseNoMaps = "lease-no-maps"
  /// Repeated checks with the same result.
  case scans
  case quietOnly = "quiet-only"

  /// Whether requesting a lease detects an open writer.
  package var usesLease: Bool { self == .lease || self == .leaseNoMaps }
}
