package import DropEngine

/// What one client is still to be told of its zones.
///
/// A change of `isTargeted` is told by itself, at once; of other changes of a zone the newest, ten
/// times a second at most. When too much waits, all of it is dropped, and the client is told how
/// many changes it missed and then how each zone is.
struct ChangeQueue: Sendable {
  private let limit: Int
  private var waiting: [Change] = []
  private var weight = 0
  private var zones: [String: Zone] = [:]
  private var lost = 0
  private var numbered = 0

  private struct Change {
    let zone: ZoneStatus
    let weight: Int
    let at: Moment
    let isEdge: Bool
  }

  private struct Zone {
    var newest: ZoneStatus
    /// When a change of it was last told.
    var told: ContinuousClock.Instant?
  }

  /// What to do next.
  enum Next: Equatable {
    case tell([MonitorReply])
    /// There is something, and it is too early.
    case wait(until: ContinuousClock.Instant)
    case nothing
  }

  static let interval = Duration.milliseconds(100)

  /// Keeps `limit` bytes at most, and the newest state of each zone.
  init(limit: Int) {
    self.limit = limit
  }

  mutating func receive(_ zone: ZoneStatus, at time: Moment) {
    let isEdge = zones[zone.name]?.newest.isTargeted != zone.isTargeted
    zones[zone.name, default: Zone(newest: zone)].newest = zone
    if lost > 0 {
      lost += 1
      return
    }
    // What is no edge says less than what comes after it.
    if let last = waiting.lastIndex(where: { $0.zone.name == zone.name }), !waiting[last].isEdge {
      weight -= waiting.remove(at: last).weight
    }
    let change = Change(zone: zone, weight: zone.weight, at: time, isEdge: isEdge)
    waiting.append(change)
    weight += change.weight
    guard weight > limit, waiting.count > 1 else { return }
    lost = waiting.count
    waiting = []
    weight = 0
  }

  mutating func next(at now: ContinuousClock.Instant, _ time: Moment) -> Next {
    if lost > 0 { return .tell(restart(at: now, time)) }
    var told: [MonitorReply] = []
    var early: [Change] = []
    var earliest: ContinuousClock.Instant?
    for change in waiting {
      let due = change.isEdge ? nil : zones[change.zone.name]?.told.map { $0 + Self.interval }
      if let due, due > now {
        early.append(change)
        earliest = min(earliest ?? due, due)
      } else {
        told.append(number(change.zone, at: change.at))
        zones[change.zone.name]?.told = now
        weight -= change.weight
      }
    }
    waiting = early
    if !told.isEmpty { return .tell(told) }
    return earliest.map { .wait(until: $0) } ?? .nothing
  }

  private mutating func restart(at now: ContinuousClock.Instant, _ time: Moment) -> [MonitorReply] {
    numbered += lost + 1
    lost = 0
    let marker = MonitorReply(n: numbered, at: time.description, zone: nil, overrun: true)
    return [marker]
      + zones.keys.sorted().compactMap { name in
        zones[name]?.told = now
        return zones[name].map { number($0.newest, at: time) }
      }
  }

  private mutating func number(_ zone: ZoneStatus, at time: Moment) -> MonitorReply {
    numbered += 1
    return MonitorReply(n: numbered, at: time.description, zone: zone, overrun: false)
  }
}

/// One reply of `Monitor`.
package struct MonitorReply: Hashable, Sendable, Codable {
  /// Counts up by one from 1, and over what was lost.
  package var n: Int
  package var at: String
  /// nil in the one reply that says that changes were lost.
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
