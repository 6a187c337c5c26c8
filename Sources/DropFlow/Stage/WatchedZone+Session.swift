import DropEngine
import DropSystem

/// Sessions: each begins when its zone lights up, and ends with the last outcome of what was released in it.
extension WatchedZone {
  /// Lets the zone's session begin or end as the zone lights up or goes dark.
  func followLight(at now: Duration) {
    if sessions.light(isTargeted, at: now, new: time.newID()) { staging.sessionItems = 0 }
  }

  /// Notes a release; returns the session that it belongs to.
  func session(ofReleased id: DropID, at now: Duration) -> DropID {
    let (session, isNew) = sessions.release(id, at: now, new: time.newID())
    if isNew { staging.sessionItems = 0 }
    return session
  }

  /// Notes that a staged payload has changed, if the program wants to know.
  func noteChange(of key: PayloadKey) {
    guard live != nil else { return }
    sessions.change()
    live?.changed.insert(key)
  }

  /// Tells the program what the zone's sessions have come to.
  func reportSessions(in tree: DirectoryTree) {
    guard sessions.hasSteps else { return }
    let steps = sessions.take()
    guard let watcher = plan.watcher else { return }
    let view = view(at: report.lastLocation, in: tree)
    for step in steps {
      var view = view
      view.id = step.id
      view.phase = step.phase
      watcher.updated(view)
    }
  }

  /// What is over the zone now; if there is too much, the payloads of the questions and of the releases come first.
  func view(
    at location: RawPath, first questions: [LiveQuestion] = [], released: [Release] = [], in tree: DirectoryTree
  ) -> SessionView {
    report.lastLocation = location
    let limit = SessionView.itemsLimit
    let payloads = payloads(limit, first: questions)
    let items =
      released.map { item($0.payload, $0.location, isComplete: true) }
      + payloads.prefix(max(0, limit - released.count)).map { key, payload in
        item(payload, tree.location(of: key), isComplete: false)
      }
    let session = sessions.current
    return SessionView(
      id: session?.id ?? released.first?.session ?? time.newID(), phase: session?.phase ?? .exiting, location: location,
      items: items, itemsCount: staging.count + released.count,
      bytes: ([staging.bytes] + released.map(\.payload.status.size)).sum)
  }

  private func payloads(
    _ limit: Int, first questions: [LiveQuestion]
  ) -> [(key: PayloadKey, payload: StagedPayload)] {
    var payloads: [(key: PayloadKey, payload: StagedPayload)] = []
    if staging.count <= limit {
      payloads = Array(staging.all)
    } else {
      var known: Set<PayloadKey> = []
      for question in questions.prefix(limit) {
        if let payload = staging[question.key], known.insert(question.key).inserted {
          payloads.append((question.key, payload))
        }
      }
      payloads += staging.all.prefix(limit - payloads.count).filter { !known.contains($0.key) }
    }
    return payloads.sorted { ($0.payload.firstSeen, $0.payload.id) < ($1.payload.firstSeen, $1.payload.id) }
  }

  private func item(_ payload: StagedPayload, _ location: RawPath, isComplete: Bool) -> SessionView.Item {
    let typed = live?.types[payload.id]?.typed
    return SessionView.Item(
      id: payload.id, location: location, bytes: payload.status.size, claimedType: typed?.claimedType,
      type: typed?.type, grade: typed?.grade ?? .unproved, waiting: isComplete ? nil : payload.waiting)
  }
}
