/// A staged payload, as `status` lists it.
///
/// It contains raw values instead of text. There may be ten thousand of these, which are created on the thread that watches
/// the zones; the text is created where it is encoded or displayed.
package struct StagedStatus: Hashable, Sendable, Codable {
  package var id: DropID
  package var rawLocation: RawPath
  package var bytes: Int64
  /// The time at which it was first seen, in milliseconds since 1970.
  package var firstSeen: Int64
  package var waiting: Waiting
  /// What exactly it is waiting for, for people.
  package var detail: String

  package init(
    id: DropID, rawLocation: RawPath, bytes: Int64, firstSeen: Int64, waiting: Waiting, detail: String
  ) {
    self.id = id
    self.rawLocation = rawLocation
    self.bytes = bytes
    self.firstSeen = firstSeen
    self.waiting = waiting
    self.detail = detail
  }

  /// The location, escaped for display.
  package var location: String { rawLocation.description }

  private enum CodingKeys: String, CodingKey { case id, location, locationBytes, bytes, since, waiting, detail }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value>(_ key: CodingKeys, _ value: (String) -> Value?) throws -> Value {
      let text = try container.decode(String.self, forKey: key)
      if let value = value(text) { return value }
      throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: text)
    }
    id = try read(.id) { DropID($0) }
    // The displayed location is derived from the bytes.
    rawLocation = try read(.locationBytes) { Base64.decode($0).map { RawPath(bytes: $0) } }
    bytes = try container.decode(Int64.self, forKey: .bytes)
    firstSeen = try read(.since) { Timestamp.milliseconds($0) }
    waiting = try read(.waiting) { Waiting(rawValue: $0) }
    detail = try container.decode(String.self, forKey: .detail)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.description, forKey: .id)
    try container.encode(location, forKey: .location)
    try container.encode(Base64.encode(rawLocation.bytes), forKey: .locationBytes)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(Timestamp.text(firstSeen), forKey: .since)
    // Encode a string, because the encoder would create a container for any other value.
    try container.encode(waiting.rawValue, forKey: .waiting)
    try container.encode(detail, forKey: .detail)
  }
}

/// What a staged payload is waiting for.
package enum Waiting: String, Hashable, Sendable, Codable, CaseIterable {
  case temporaryName = "temporary-name"
  case empty, quiet, writer
  case notYet = "not-yet"
  case paused, blocked, retry, stalled, unreadable
  case cannotTake = "cannot-take"
  case special

  /// Whether such a payload is arriving, and therefore lights its zone.
  package var isArriving: Bool {
    switch self {
    case .temporaryName, .empty, .quiet, .writer, .notYet: true
    case .paused, .blocked, .retry, .stalled, .unreadable, .cannotTake, .special: false
    }
  }

  /// Whether such a payload continues as soon as it can, whatever its sender does.
  package var isTrouble: Bool { self == .blocked || self == .retry }
}
