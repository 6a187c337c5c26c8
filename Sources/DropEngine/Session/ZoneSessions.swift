/// The sessions of a zone: the current one, and those that still wait for outcomes.
package struct ZoneSessions: Sendable {
  /// The largest number of sessions that wait for outcomes. Beyond it, the oldest one is ended early.
  static let exitingLimit = 64

  /// A phase that a session has entered.
  package struct Step: Hashable, Sendable {
    package var id: DropID
    package var phase: SessionState.Phase
  }

  /// The current session, while the zone is targeted.
  package private(set) var current: SessionState?
  private var exiting: [SessionState] = []
  /// The steps that were not taken yet, in order.
  private var steps: [Step] = []
  /// After this long, the next release ends the current session and begins a new one.
  package var stalled: Duration

  package init(stalled: Duration) {
    self.stalled = stalled
  }

  /// Updates whether the zone is targeted. Returns whether a session ended, so that the caller can restart counting items.
  package mutating func light(_ isTargeted: Bool, at now: Duration, new: @autoclosure () -> DropID) -> Bool {
    if isTargeted {
      if current == nil { begin(new(), at: now) }
      return false
    }
    guard current != nil else { return false }
    leave()
    return true
  }

  /// A staged payload has changed.
  package mutating func change() {
    changeCurrent { $0.change() }
  }

  /// A payload is released. Returns the session that it belongs to, and whether that session is new.
  package mutating func release(
    _ payload: DropID, at now: Duration, new: @autoclosure () -> DropID
  ) -> (id: DropID, isNew: Bool) {
    var isNew = false
    if let session = current, session.start + stalled <= now {
      leave()
      isNew = true
    }
    if current == nil { begin(new(), at: now) }
    current?.release(payload)
    return (current?.id ?? payload, isNew)
  }

  package mutating func giveBack(_ payload: DropID) {
    forSession(of: payload) { $0.giveBack(payload) }
  }

  package mutating func finish(_ payload: DropID, _ outcome: SessionState.Outcome) {
    forSession(of: payload) { $0.finish(payload, outcome) }
  }

  /// A staged payload has disappeared from the zone.
  package mutating func lose() {
    current?.lose()
  }

  /// Ends all sessions, because the zone is closed.
  package mutating func close() {
    leave()
    for var session in exiting { note(session.cut(), of: session.id) }
    exiting = []
  }

  /// Returns the steps since the last call.
  package mutating func take() -> [Step] {
    defer { steps = [] }
    return steps
  }

  package var hasSteps: Bool { !steps.isEmpty }

  private mutating func begin(_ id: DropID, at now: Duration) {
    current = SessionState(id: id, start: now)
    note([.entering], of: id)
  }

  private mutating func leave() {
    guard var session = current else { return }
    current = nil
    note(session.exit(), of: session.id)
    guard !session.isOver else { return }
    exiting.append(session)
    if exiting.count > Self.exitingLimit {
      var oldest = exiting.removeFirst()
      note(oldest.cut(), of: oldest.id)
    }
  }

  private mutating func forSession(
    of payload: DropID, _ change: (inout SessionState) -> [SessionState.Phase]
  ) {
    if current?.has(payload) == true { return changeCurrent(change) }
    guard let index = exiting.firstIndex(where: { $0.has(payload) }) else { return }
    let id = exiting[index].id
    note(change(&exiting[index]), of: id)
    if exiting[index].isOver { exiting.remove(at: index) }
  }

  private mutating func changeCurrent(_ change: (inout SessionState) -> [SessionState.Phase]) {
    guard var session = current else { return }
    // Keep a single reference, so that mutating the session does not copy its storage.
    current = nil
    note(change(&session), of: session.id)
    current = session
  }

  private mutating func note(_ phases: [SessionState.Phase], of id: DropID) {
    steps += phases.map { Step(id: id, phase: $0) }
  }
}
