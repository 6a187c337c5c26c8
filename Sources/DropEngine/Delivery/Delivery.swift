/// The way of one payload from its release to its receipt: what happened goes in, the next thing to do comes out.
///
/// A delivery is a value that touches nothing. It is the only code that changes a payload's row, and its `step` is the
/// only thing that may be done to the payload next; whoever does it reports back with `receive(_:at:)`. Commits, syncs
/// and renames of many deliveries are shared by performing equal steps together.
///
/// Each part of the way is a phase with a file of its own:
///
/// | phase | from | to |
/// |---|---|---|
/// | `ClaimPhase` | bytes in the zone | the payload, or a snapshot of it, in the hold |
/// | `JudgePhase` | in the hold | typed, and decided by the zone's rules |
/// | `AskPhase` | undecided | decided by the handler |
/// | `PlacePhase` | decided | renamed into the box or the rejects, synced, with its receipt |
/// | `CopyPhase` | decided | copied to another file system, named, synced, with its receipt |
/// | `ClosePhase` | has its receipt | nothing left of it elsewhere |
/// | `ReturnPhase` | in the hold | back under its own name in the zone |
/// | `UndoPhase` | delivered | back under its own name in the zone |
/// | `RecoverPhase` | a row, and the names that exist | wherever the stop or the crash interrupted it |
package struct Delivery: Sendable {
  /// The payload's row, as the ledger has it or is about to have it.
  package internal(set) var drop: Drop
  /// What has to be done next.
  package internal(set) var step = Step.parked
  /// Where the handler or the configuration wants the payload inside the box.
  package internal(set) var wishes = Wishes()
  /// The name the payload is about to get, once it is chosen.
  package internal(set) var destination: Destination?
  /// Files in the box that were compared with the payload and have other bytes.
  package internal(set) var compared: Set<FileStatus> = []
  /// When the verdict got its place, in milliseconds since 1970; reason file and receipt give the same time.
  package internal(set) var decided: Int64 = 0
  package let policy: DeliveryPolicy

  var phase = Phase.ended
  /// The step that a wait interrupted.
  var interrupted: Step?
  /// An outcome that is not the verdict's, such as withdrawn.
  var ending = Conclusion.verdict
  /// Whether the zone takes the payload's type.
  var typeMatches = true
  /// Whether the payload is another name of a file whose owner may not write where it was dropped.
  var isForeignLink = false
  /// Whether the row is that of an earlier process and its payload has not been looked at since.
  var isRecovered = false
  /// Whether recovery may have noted the payload's own name, so that no scan took it while its places could not be seen.
  var mayBeNoted = false
  /// Whether the bytes that lie in the hold are on the disk.
  var isSynced = false
  /// Whether the row says what was found right after the claim, so that there is nothing new to read.
  package internal(set) var isJustClaimed = false

  enum Phase: Hashable, Sendable {
    case claim(ClaimPhase)
    case judge(JudgePhase)
    case ask(AskPhase)
    case place(PlacePhase)
    indirect case copy(CopyPhase)
    case close(ClosePhase)
    indirect case giveBack(ReturnPhase)
    indirect case undo(UndoPhase)
    indirect case recover(RecoverPhase)
    case ended
  }

  /// How a payload ends: mostly as its verdict says.
  enum Conclusion: Hashable, Sendable {
    case verdict
    indirect case other(Ending)
  }

  /// How a payload ends, other than its verdict says.
  struct Ending: Hashable, Sendable {
    /// Nil: the verdict's.
    var outcome: Receipt.Outcome?
    var code: ReasonCode?
    var message: String?
    var place: RawPath?
  }

  /// What was asked for beyond the zone's rules.
  package struct Wishes: Hashable, Sendable {
    /// Relative to the box.
    package var directory: RawPath?
    package var name: RawPath?
    /// Whether the rejects take no name of the payload, so that its id serves as one.
    package var usesIDAsName = false

    package init() {}
  }

  init(_ drop: Drop, policy: DeliveryPolicy) {
    self.drop = drop
    self.policy = policy
  }

  /// Takes note of what came of `step`, and decides the next one.
  ///
  /// - Parameters:
  ///   - event: Only what the step can lead to, `resumed` after a wait, or `stopped` at any time.
  ///   - now: Milliseconds since 1970.
  package mutating func receive(_ event: Event, at now: Int64) {
    switch event {
    case .stopped:
      return park()
    case .resumed:
      guard let interrupted else { return }
      step = interrupted
      self.interrupted = nil
      return
    default: break
    }
    switch phase {
    case .claim(let phase): phase.receive(event, &self)
    case .judge(let phase): phase.receive(event, &self, at: now)
    case .ask(let phase): phase.receive(event, &self, at: now)
    case .place(let phase): phase.receive(event, &self, at: now)
    case .copy(let phase): phase.receive(event, &self, at: now)
    case .close(let phase): phase.receive(event, &self)
    case .giveBack(let phase): phase.receive(event, &self, at: now)
    case .undo(let phase): phase.receive(event, &self, at: now)
    case .recover(let phase): phase.receive(event, &self, at: now)
    case .ended: break
    }
  }

  /// Whether nothing more is to be done in this process.
  package var isEnded: Bool {
    switch step {
    case .parked, .finished, .stay, .refused, .leftInZone: true
    default: false
    }
  }
}

// MARK: - Moves that phases share

extension Delivery {
  mutating func go(_ step: Step, in phase: Phase) {
    self.step = step
    self.phase = phase
  }

  mutating func commit(_ changes: [LedgerChange], in phase: Phase) {
    go(.commit(changes), in: phase)
  }

  /// Lets the payload wait, and then goes on with `next` in `phase`.
  mutating func wait(_ wait: Wait, then next: Step, in phase: Phase) {
    interrupted = next
    go(.wait(wait), in: phase)
  }

  /// Tries the step that failed once more, later.
  mutating func tryAgain(_ wait: Wait) {
    interrupted = step
    step = .wait(wait)
  }

  /// Leaves everything as it is; the row says what the next process has to do.
  mutating func park() {
    go(.parked, in: .ended)
  }

  mutating func end(_ step: Step) {
    go(step, in: .ended)
  }

  /// A commit that failed: one for lack of room is tried again. Any other ends the daemon, and the row says what is left
  /// to do.
  mutating func commitFailed(_ failure: Failure) {
    guard failure.kind == .ledgerNoRoom else { return park() }
    tryAgain(.init(.blocked, failure.message, cause: .ledger))
  }
}
