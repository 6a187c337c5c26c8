/// The life of one session: from the first payload that lights the zone to the last receipt.
///
/// What happens goes in, the phases it comes to go out; each session reaches its end exactly once.
package struct SessionState: Hashable, Sendable {
  package let id: DropID
  /// When it began, on the monotonic clock.
  package let start: Duration
  package private(set) var phase = Phase.entering
  /// Payloads that were released in it and have no outcome yet.
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
    /// Nothing is arriving any more; not everything has its outcome.
    case exiting
    /// Everything has its outcome.
    case ended(LiveOperation)
    /// What was taken is where it belongs, and its receipts are on the disk.
    case transferred

    /// Whether the zone is lit.
    package var isTargeted: Bool { self == .entering || self == .active }
  }

  /// What became of one payload.
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

  /// A payload is staged again: it belongs to whatever session the zone is in then.
  package mutating func giveBack(_ payload: DropID) -> [Phase] {
    inHand.remove(payload) == nil ? [] : endIfDone()
  }

  /// A payload has its outcome, and the receipt is on the disk.
  package mutating func finish(_ payload: DropID, _ outcome: Outcome) -> [Phase] {
    guard inHand.remove(payload) != nil else { return [] }
    count(outcome)
    return endIfDone()
  }

  /// A payload that was never released has gone from the zone.
  package mutating func lose() {
    if !isOver { count(.withdrawn) }
  }

  /// Nothing lights the zone any more, or the session has lasted long enough.
  package mutating func exit() -> [Phase] {
    guard phase.isTargeted else { return [] }
    return enter(.exiting) + endIfDone()
  }

  /// Ends it with what is known: the zone is closed, or there are too many that wait for their end.
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

  /// Move or copy where anything was taken, forbidden where something was refused, cancel where all was lost.
  private var operation: LiveOperation {
    moved > 0 ? .move : copied > 0 ? .copy : refused > 0 ? .forbidden : .cancel
  }
}
