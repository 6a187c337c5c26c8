/// The life of a session, from the first payload that lights the zone to the last receipt.
///
/// Each function takes an event, and returns the phases that the session enters. Each session ends exactly once.
package struct SessionState: Hashable, Sendable {
  package let id: DropID
  /// The start of the session, on the monotonic clock.
  package let start: Duration
  package private(set) var phase = Phase.entering
  /// Payloads that were released in this session and have no outcome yet.
  private var inHand: Set<DropID> = []
  private var moved = 0
  private var copied = 0
  private var refused = 0
  private var withdrawn = 0

  package enum Phase: Hashable, Sendable {
    /// The zone has just lit up.
    case entering
    /// Something is arriving.
    case active
    /// Nothing is arriving any longer, but some payloads have no outcome yet.
    case exiting
    /// All payloads have an outcome.
    case ended(LiveOperation)
    /// All accepted payloads are in place, and their receipts are on disk.
    case transferred

    /// Whether the zone is lit.
    package var isTargeted: Bool { self == .entering || self == .active }
  }

  /// The outcome of a payload.
  package enum Outcome: Hashable, Sendable { case moved, copied, refused, withdrawn }

  package init(id: DropID, start: Duration) {
    self.id = id
    self.start = start
  }

  package var isOver: Bool {
    switch phase {
    case .entering, .active, .exiting: false
    case .ended, .transferred: true
    }
  }

  package func has(_ payload: DropID) -> Bool { inHand.contains(payload) }

  /// Something that lights the zone has changed.
  package mutating func change() -> [Phase] {
    guard phase.isTargeted else { return [] }
    return enter(.active)
  }

  /// A payload is complete and on its way into the hold.
  package mutating func release(_ payload: DropID) {
    guard !isOver else { return }
    inHand.insert(payload)
  }

  /// A payload is staged again, and no longer belongs to this session.
  package mutating func giveBack(_ payload: DropID) -> [Phase] {
    inHand.remove(payload) == nil ? [] : endIfDone()
  }

  /// A payload has an outcome, and its receipt is on disk.
  package mutating func finish(_ payload: DropID, _ outcome: Outcome) -> [Phase] {
    guard inHand.remove(payload) != nil else { return [] }
    count(outcome)
    return endIfDone()
  }

  /// A payload that was not released has disappeared from the zone.
  package mutating func lose() {
    if !isOver { count(.withdrawn) }
  }

  /// Nothing lights the zone any longer, or the session has lasted long enough.
  package mutating func exit() -> [Phase] {
    guard phase.isTargeted else { return [] }
    return enter(.exiting) + endIfDone()
  }

  /// Ends the session early, because the zone is closed or too many sessions have not ended.
  package mutating func cut() -> [Phase] {
    guard !isOver else { return [] }
    inHand = []
    return exit() + endIfDone()
  }

  private mutating func count(_ outcome: Outcome) {
    switch outcome {
    case .moved: moved += 1
    case .copied: copied += 1
    case .refused: refused += 1
    case .withdrawn: withdrawn += 1
    }
  }

  private mutating func endIfDone() -> [Phase] {
    guard phase == .exiting, inHand.isEmpty else { return [] }
    let phases = enter(.ended(operation))
    return moved + copied > 0 ? phases + enter(.transferred) : phases
  }

  private mutating func enter(_ next: Phase) -> [Phase] {
    phase = next
    return [next]
  }

  /// Move or copy if anything was taken, or else forbidden if anything was refused, or else cancel.
  private var operation: LiveOperation {
    moved > 0 ? .move : copied > 0 ? .copy : refused > 0 ? .forbidden : .cancel
  }
}
