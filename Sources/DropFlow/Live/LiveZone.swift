import DropEngine
import DropSystem

/// What the staging area knows of a zone's questions and answers.
struct LiveZone {
  /// A configuration that takes longer is named.
  static let slow = Duration.milliseconds(50)
  /// Changed payloads are asked about ten times a second.
  static let interval = Duration.milliseconds(100)
  /// Without an answer for so long, what is released stays in the zone and is asked about again.
  static let patience = Duration.seconds(1)
  /// How often the log names a configuration that is slow, or late.
  static let nameInterval = Duration.seconds(60)
  /// Bytes by which a type is known: more do not change it.
  static let head: Int64 = 64 << 10
  /// How long a late answer may be used.
  static let freshness = Duration.seconds(5)

  /// Tells the answers of this configurator from those of one before a reload.
  let number: Int
  let configurator: LiveConfigurator
  let asksConfiguration: Bool
  /// Payloads that have changed and were not asked about since.
  var changed: Set<PayloadKey> = []
  var nextRound = Duration.zero
  /// What was said of staged payloads last.
  var answers: [DropID: LiveAnswer] = [:]
  /// Answers to what was asked at a release and came when the payload was staged again.
  var late: [DropID: (answer: LiveAnswer, at: Duration)] = [:]
  var types: [DropID: (typed: TypedContent, size: Int64)] = [:]
  /// Complete, and not with the configurator yet.
  var waiting: [Release] = []
  /// Complete, and with the configurator.
  var asked: [DropID: Release] = [:]
  /// What the configurator was asked about at a release and has not answered, also what is staged again since.
  var unanswered: Set<DropID> = []
  var lastAnswer = Duration.zero
  /// Rejects that are tried again and wait for an answer.
  var retries: [DropID: CheckedContinuation<LiveReply, Never>] = [:]
  var slowest: (took: Duration, location: RawPath)?
  var nextSlowNaming = Duration.zero
  var nextLateNaming = Duration.zero

  /// Until when an answer must have come; nil when none is waited for.
  var deadline: Duration? {
    asked.isEmpty && waiting.isEmpty ? nil : lastAnswer + Self.patience
  }

  init(number: Int, configurator: LiveConfigurator, asksConfiguration: Bool) {
    self.number = number
    self.configurator = configurator
    self.asksConfiguration = asksConfiguration
  }

  mutating func forget(_ id: DropID) {
    answers[id] = nil
    types[id] = nil
    late[id] = nil
  }

  func wantsType(of payload: StagedPayload) -> Bool {
    guard payload.status.kind == .regular, payload.status.size > 0 else { return false }
    guard let known = types[payload.id] else { return true }
    return known.size < Self.head && known.size != payload.status.size
  }
}
