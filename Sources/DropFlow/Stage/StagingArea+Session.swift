import DropEngine
import DropSystem

/// Sessions: each begins when its zone lights up, and ends with the last outcome of what was released in it.
extension StagingArea {
  /// Lets the zone's session begin or go dark with it.
  func followLight(of zone: WatchedZone, at now: Duration) {
    if zone.sessions.light(zone.isTargeted, at: now, new: newDropID()) { zone.staging.sessionItems = 0 }
  }

  /// Notes a release, and which session it belongs to.
  func session(ofReleased id: DropID, in zone: WatchedZone, at now: Duration) -> DropID {
    let (session, isNew) = zone.sessions.release(id, at: now, new: newDropID())
    if isNew { zone.staging.sessionItems = 0 }
    return session
  }

  /// Tells the watchers what sessions have come to.
  func tellSessions() {
    for name in touched.sorted() {
      guard let zone = zones[name], zone.sessions.hasSteps else { continue }
      let steps = zone.sessions.take()
      guard let watcher = zone.plan.watcher else { continue }
      let view = view(of: zone, location: zone.lastLocation)
      for step in steps {
        var view = view
        view.id = step.id
        view.phase = step.phase
        watcher.updated(view)
      }
    }
  }

  /// What is over the zone now; of many payloads those of the questions and of the releases come first.
  func view(
    of zone: WatchedZone, location: RawPath, first questions: [LiveQuestion] = [], released: [Release] = []
  ) -> SessionView {
    zone.lastLocation = location
    var payloads: [(key: PayloadKey, payload: StagedPayload)] = []
    let limit = SessionView.itemsLimit
    if zone.staging.count <= limit {
      payloads = Array(zone.staging.all)
    } else {
      var known: Set<PayloadKey> = []
      for question in questions.prefix(limit) {
        if let payload = zone.staging[question.key], known.insert(question.key).inserted {
          payloads.append((question.key, payload))
        }
      }
      payloads += zone.staging.all.prefix(limit - payloads.count).filter { !known.contains($0.key) }
    }
    payloads.sort { ($0.payload.firstSeen, $0.payload.id) < ($1.payload.firstSeen, $1.payload.id) }
    let items =
      released.map { item($0.payload, $0.location, isComplete: true, in: zone) }
      + payloads.prefix(max(0, limit - released.count)).map { key, payload in
        item(payload, self.location(of: key), isComplete: false, in: zone)
      }
    let session = zone.sessions.current
    return SessionView(
      id: session?.id ?? released.first?.session ?? newDropID(), phase: session?.phase ?? .exiting, location: location,
      items: items, itemsCount: zone.staging.count + released.count,
      bytes: ([zone.staging.bytes] + released.map(\.payload.status.size)).sum)
  }

  private func item(
    _ payload: StagedPayload, _ location: RawPath, isComplete: Bool, in zone: WatchedZone
  ) -> SessionView.Item {
    let typed = zone.live?.types[payload.id]?.typed
    return SessionView.Item(
      id: payload.id, location: location, bytes: payload.status.size, claimedType: typed?.claimedType,
      type: typed?.type, grade: typed?.grade ?? .unproved, waiting: isComplete ? nil : payload.waiting)
  }
}
