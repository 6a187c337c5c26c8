package import DropEngine

/// One payload that a zone's configuration is to be asked about.
package struct LiveQuestion: Sendable {
  package var key: PayloadKey
  package var id: DropID
  package var location: RawPath
  package var status: FileStatus
  /// Whether its content is to be read: it may be, and has not been since it grew.
  package var wantsType: Bool
  /// What its source permits, where it lies in the zone no more.
  package var operations: Set<LiveOperation>?
}

/// What came of it.
package struct LiveAnswer: Sendable {
  package var question: LiveQuestion
  /// Nil where the zone has no configuration and only the type was wanted.
  package var verdict: LiveVerdict?
  /// What is done with it where this was asked at its release.
  package var binding: LiveVerdict.Binding?
  package var typed: TypedContent?
  /// How long the configuration took.
  package var took: Duration
}

/// What a configuration says of a reject that is tried again.
package enum LiveReply: Sendable {
  case bound(LiveVerdict.Binding)
  /// It has not answered in time.
  case late
  /// The zone has none.
  case nobody
}

/// Payloads that are asked about in one go, over the zone as `view` has it.
package struct LiveRound: Sendable {
  /// The zone's root, resolved.
  package var root: String
  package var view: SessionView
  package var questions: [LiveQuestion]
}
