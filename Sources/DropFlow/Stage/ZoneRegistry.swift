import DropEngine
import DropSystem

/// The zones, in the order of their names; which of them have changed in this turn, and which is due next.
final class ZoneRegistry {
  let time: TimeSource
  private var byName: [String: WatchedZone] = [:]
  private(set) var all: [WatchedZone] = []
  private var touched: [WatchedZone] = []
  private var deadlines = DeadlineHeap<String>()

  init(time: TimeSource) {
    self.time = time
  }

  subscript(name: String) -> WatchedZone? { byName[name] }

  func insert(_ zone: WatchedZone) {
    byName[zone.name] = zone
    all.append(zone)
    all.sort { $0.name < $1.name }
    touch(zone)
  }

  func remove(_ zone: WatchedZone) {
    byName[zone.name] = nil
    all.removeAll { $0 === zone }
    touched.removeAll { $0 === zone }
  }

  /// The named zones; all of them if none is named.
  func named(_ names: [String]) throws(ControlError) -> [WatchedZone] {
    if names.isEmpty { return all }
    var zones: [WatchedZone] = []
    for name in names {
      guard let zone = byName[name] else { throw .noSuchZone(name) }
      zones.append(zone)
    }
    return zones
  }

  /// The zone in which an absolute path lies, and where in it.
  func find(_ path: RawPath) -> (zone: WatchedZone, location: RawPath)? {
    for zone in all {
      for root in Set([zone.settings.path, zone.root.path]) {
        let prefix = RawPath(root).bytes + [.slash]
        if path.bytes.starts(with: prefix), path.bytes.count > prefix.count {
          return (zone, RawPath(bytes: Array(path.bytes.dropFirst(prefix.count))))
        }
      }
    }
    return nil
  }

  // MARK: - This turn

  /// Marks a zone in which something has happened; a turn costs no more because of a thousand others.
  func touch(_ zone: WatchedZone) {
    zone.report.hasChanged = true
    attend(to: zone)
  }

  /// Includes a zone in the end of the turn although nothing has happened in it that is published.
  func attend(to zone: WatchedZone) {
    guard !zone.schedule.isTouched else { return }
    zone.schedule.isTouched = true
    touched.append(zone)
  }

  /// The zones that the end of the turn has to deal with, in the order of their names.
  var changed: [WatchedZone] {
    if touched.count > 1 { touched.sort { $0.name < $1.name } }
    return touched
  }

  /// Ends the turn: only zones for which `isUnfinished` holds are part of the next.
  func endTurn(except isUnfinished: (WatchedZone) -> Bool) {
    touched = touched.filter { zone in
      zone.schedule.isTouched = isUnfinished(zone)
      return zone.schedule.isTouched
    }
  }

  // MARK: - Deadlines

  /// Sets when a zone needs attention, whatever happens.
  func setDeadline(_ deadline: Duration, of zone: WatchedZone) {
    guard zone.schedule.deadline != deadline else { return }
    zone.schedule.deadline = deadline
    zone.schedule.stamp &+= 1
    deadlines.push(deadline, zone.name, zone.schedule.stamp)
    if deadlines.count > 4 * all.count + 64 { deadlines.keep(isCurrent) }
  }

  /// Returns the zones whose time has come.
  func takeDue(at now: Duration) -> [WatchedZone] {
    var due: [WatchedZone] = []
    while let entry = deadlines.pop(until: now) {
      guard isCurrent(entry), let zone = byName[entry.key] else { continue }
      zone.schedule.deadline = nil
      due.append(zone)
    }
    return due
  }

  func nextDeadline() -> Duration? { deadlines.first(where: isCurrent) }

  private func isCurrent(_ entry: DeadlineHeap<String>.Entry) -> Bool {
    byName[entry.key].map { $0.schedule.stamp == entry.stamp && $0.schedule.deadline != nil } ?? false
  }
}
