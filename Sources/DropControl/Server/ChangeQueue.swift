package import DropEngine

/// The changes of zones that one client has not been sent yet.
///
/// A change of `isTargeted` is sent separately and at once. Of other changes of a zone, only the newest is sent, at most
/// ten times per second. If the queue exceeds its limit, all waiting changes are dropped; the client then learns how many
/// changes it missed, and gets the state of each zone.
struct ChangeQueue: Sendable {
  private let limit: Int
  private var waiting: [Change] = []
  private var encodedSize = 0
  private var zones: [String: Zone] = [:]
  private var lost = 0
  private var lastNumber = 0

  private struct Change {
    let zone: ZoneStatus
    let encodedSize: Int
    let at: WallTime
    /// Whether `isTargeted` changed.
    let isEdge: Bool
  }

  private struct Zone {
    var newest: ZoneStatus
    /// When a change was last sent.
    var lastSent: ContinuousClock.Instant?
  }

  /// What the sender should do next.
  enum Next: Equatable {
    case send([MonitorReply])
    /// It is too early to send the waiting changes.
    case wait(until: ContinuousClock.Instant)
    case nothing
  }

  static let interval = Duration.milliseconds(100)

  /// Creates a queue that keeps changes of at most `limit` bytes, and the newest state of each zone.
  init(limit: Int) {
    self.limit = limit
  }

  mutating func receive(_ zone: ZoneStatus, at time: WallTime) {
    let isEdge = zones[zone.name]?.newest.isTargeted != zone.isTargeted
    zones[zone.name, default: Zone(newest: zone)].newest = zone
    if lost > 0 {
      lost += 1
      return
    }
    // The new change replaces an unsent one, unless that one changed isTargeted.
    if let last = waiting.lastIndex(where: { $0.zone.name == zone.name }), !waiting[last].isEdge {
      encodedSize -= waiting.remove(at: last).encodedSize
    }
    let change = Change(zone: zone, encodedSize: zone.encodedSize, at: time, isEdge: isEdge)
    waiting.append(change)
    encodedSize += change.encodedSize
    guard encodedSize > limit, waiting.count > 1 else { return }
    lost = waiting.count
    waiting = []
    encodedSize = 0
  }

  mutating func next(at now: ContinuousClock.Instant, _ time: WallTime) -> Next {
    if lost > 0 { return .send(restart(at: now, time)) }
    var due: [MonitorReply] = []
    var early: [Change] = []
    var earliest: ContinuousClock.Instant?
    for change in waiting {
      let dueTime = change.isEdge ? nil : zones[change.zone.name]?.lastSent.map { $0 + Self.interval }
      if let dueTime, dueTime > now {
        early.append(change)
        earliest = min(earliest ?? dueTime, dueTime)
      } else {
        due.append(number(change.zone, at: change.at))
        zones[change.zone.name]?.lastSent = now
        encodedSize -= change.encodedSize
      }
    }
    waiting = early
    if !due.isEmpty { return .send(due) }
    return earliest.map { .wait(until: $0) } ?? .nothing
  }

  private mutating func restart(at now: ContinuousClock.Instant, _ time: WallTime) -> [MonitorReply] {
    lastNumber += lost + 1
    lost = 0
    let marker = MonitorReply(n: lastNumber, at: time.description, zone: nil, overrun: true)
    return [marker]
      + zones.keys.sorted().compactMap { name in
        zones[name]?.lastSent = now
        return zones[name].map { number($0.newest, at: time) }
      }
  }

  private mutating func number(_ zone: ZoneStatus, at time: WallTime) -> MonitorReply {
    lastNumber += 1
    return MonitorReply(n: lastNumber, at: time.description, zone: zone, overrun: false)
  }
}

/// A reply of `Monitor`.
package struct MonitorReply: Hashable, Sendable, Codable {
  /// Counts up from 1, and skips changes that were lost.
  package var n: Int
  package var at: String
  /// Nil in the reply that says that changes were lost.
  package var zone: ZoneStatus?
  package var overrun: Bool

  package init(n: Int, at: String, zone: ZoneStatus?, overrun: Bool) {
    self.n = n
    self.at = at
    self.zone = zone
    self.overrun = overrun
  }

  private enum CodingKeys: String, CodingKey { case n, at, zone, overrun }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(n, forKey: .n)
    try container.encode(at, forKey: .at)
    try container.encode(zone, forKey: .zone)
    try container.encode(overrun, forKey: .overrun)
  }
}
