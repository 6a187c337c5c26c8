/// Where a payload lies: a directory of the watched tree, and its name there.
package struct PayloadKey: Hashable, Sendable {
  package var directory: Int32
  package var name: RawPath

  package init(directory: Int32, name: RawPath) {
    self.directory = directory
    self.name = name
  }
}

/// What events said about a name since it was last looked at.
package struct StagingHint: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Created or written.
  package static let written = StagingHint(rawValue: 1)
  /// A writer has closed it: worth asking at once whether another is there.
  package static let closed = StagingHint(rawValue: 2)
  /// It got its name by a rename.
  package static let renamed = StagingHint(rawValue: 4)
  /// The name it had before is of a kind that also renames what was cut off.
  package static let fromUntrusted = StagingHint(rawValue: 8)
  /// Found after a boot that followed no clean stop.
  package static let afterCrash = StagingHint(rawValue: 16)
}

/// One payload in a zone that is not claimed yet.
///
/// There may be hundreds of thousands: what is small lies side by side, so that there are no gaps between.
package struct StagedPayload: Hashable, Sendable {
  package var id: DropID
  package var status: FileStatus
  /// What the absence of a writer will rest on.
  package var evidence: Evidence
  package var waiting = Waiting.quiet
  package var isAfterCrash = false
  /// An operator said to take it anyway.
  package var isForced = false
  /// Whether it came complete, by a rename that can be trusted.
  var cameComplete: Bool
  /// How often a writer was found since it changed last.
  @Narrow<UInt8> private var writersFound = 0
  package var name: PayloadKind
  /// Truncations seen: beyond a few, only a new greatest size is progress.
  @Narrow<UInt8> var restarts = 0
  @Narrow<UInt8> var equalInspections = 1
  /// Handler attempts and crashes that go with the file, from before it was put back.
  @Narrow<Int32> package var attempts = 0
  @Narrow<Int32> package var starts = 0
  /// Its number in the session, from 1.
  @Narrow<Int32> package var ordinal = 0
  /// Guards against stale entries of the heap.
  var stamp: UInt32 = 0
  /// Milliseconds since 1970.
  package var firstSeen: Int64
  package var detail = ""
  /// The last write, create, attribute or size change.
  @Ticks package var lastChange: Duration
  @Ticks var lastProgress: Duration
  var greatest: Int64
  @Ticks var lastInspection: Duration
  /// When a writer is asked for again.
  @Ticks var nextAsk: Duration = .zero
  /// What the flow or the writer check answered: holds until the deadline or, where `endsAtChange`, the next change.
  var held: Held? {
    get { keptHeld?.value }
    set { keptHeld = newValue.map { KeptHeld($0) } }
  }
  /// Few have one, and those without have no room for it.
  private var keptHeld: KeptHeld?
  @OptionalTicks var nextInspection: Duration? = nil
  /// The scan that met it last.
  package var generation: UInt64 = 0

  init(
    id: DropID, status: FileStatus, name: PayloadKind, evidence: Evidence, firstSeen: Int64, cameComplete: Bool,
    at now: Duration
  ) {
    self.id = id
    self.status = status
    self.name = name
    self.evidence = evidence
    self.firstSeen = firstSeen
    self.cameComplete = cameComplete
    lastChange = now
    lastProgress = now
    greatest = status.size
    lastInspection = now
  }

  /// Orders those that came first before those that came later.
  var age: (firstSeen: Int64, id: DropID) { (firstSeen, id) }

  /// A writer has it: it is asked for again, later each time.
  mutating func foundWriter(at now: Duration) {
    nextAsk = now + askInterval
    writersFound += 1
  }

  /// The next writer that is found is asked for again soon.
  mutating func askSoon() {
    nextAsk = .zero
    writersFound = 0
  }

  var askInterval: Duration {
    min(Staging.firstAskInterval * (1 << min(writersFound, 5)), Staging.lastAskInterval)
  }

  /// What is known of a file before it is looked at for the first time.
  package struct Origin: Sendable {
    package var id: DropID
    package var firstSeen: Int64
    package var attempts = 0
    package var starts = 0
    /// Its number in the session in which it arrived; nil if it arrives now.
    package var ordinal: Int?
    var held: Held?

    package init(id: DropID, firstSeen: Int64, attempts: Int = 0, starts: Int = 0, ordinal: Int? = nil) {
      self.id = id
      self.firstSeen = firstSeen
      self.attempts = attempts
      self.starts = starts
      self.ordinal = ordinal
    }

    /// It was put back: not asked again before `until`, unless it changes.
    package mutating func holdBack(_ detail: String, until: Duration, back: Duration) {
      held = Held(waiting: .notYet, detail: detail, until: until, back: back, endsAtChange: true)
    }
  }

  private final class KeptHeld: Hashable, Sendable {
    let value: Held

    init(_ value: Held) { self.value = value }

    static func == (a: KeptHeld, b: KeptHeld) -> Bool { a.value == b.value }
    func hash(into hasher: inout Hasher) { hasher.combine(value) }
  }

  package struct Held: Hashable, Sendable {
    var waiting: Waiting
    var detail: String
    var until: Duration
    var back: Duration
    var endsAtChange: Bool
  }
}

/// What a name says before anything is opened.
package enum PayloadKind: Hashable, Sendable {
  case ordinary
  /// Staged under this name and never released. `renamesFailures`: such names are also given up for the final one when
  /// the transfer was cut off.
  case temporary(renamesFailures: Bool)
  /// Left alone; no sign of staging.
  case junk
  /// Announces another file.
  case marker
  /// Not a thing that is taken here; the text says why.
  case special(String)
}
