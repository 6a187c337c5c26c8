package import DropEngine

/// The published states of a zone, in order: the lines of `status --watch --json`.
package struct TargetedLog: Sendable {
  package private(set) var changes: [ZoneChange] = []

  package init(_ changes: [ZoneChange]) {
    self.changes = changes
  }

  /// A period in which the zone was targeted, in milliseconds since 1970.
  package struct Period: Hashable, Sendable {
    package var begin: Int64
    /// Nil if it lasted until the end of the log.
    package var end: Int64?
    package var seconds: Double { end.map { Double($0 - begin) / 1000 } ?? .infinity }
  }

  /// The values of `isTargeted` in the notation of the scenarios, such as "F T F".
  package var word: String {
    var letters: [String] = []
    for change in changes {
      let letter = change.zone.isTargeted ? "T" : "F"
      if letters.last != letter { letters.append(letter) }
    }
    return letters.joined(separator: " ")
  }

  package var periods: [Period] {
    var periods: [Period] = []
    var open: Period?
    for change in changes {
      guard let at = Timestamp.milliseconds(change.at) else { continue }
      if change.zone.isTargeted {
        if open == nil { open = Period(begin: at, end: nil) }
      } else if var period = open {
        period.end = at
        periods.append(period)
        open = nil
      }
    }
    if let open { periods.append(open) }
    return periods
  }

  /// The states that the zone went through, without repetitions.
  package var states: [ZoneStatus.State] {
    var states: [ZoneStatus.State] = []
    for change in changes where states.last != change.zone.state { states.append(change.zone.state) }
    return states
  }

  /// Everything that a payload was listed as waiting for, in order, with the details.
  package func waits(of location: String) -> [StagedStatus] {
    var waits: [StagedStatus] = []
    for change in changes {
      for staged in change.zone.staged where staged.location == location && waits.last?.waiting != staged.waiting {
        waits.append(staged)
      }
    }
    return waits
  }
}
