import Testing

@testable import DropEngine

/// Tests with random scripts: after any sequence of events, the counts are right and no payload is forgotten.
@Suite struct StagingWalkTests {
  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `counts stay right and no deadline is lost in a random script`(seed: UInt64) throws {
    var walk = Walk(seed: seed)
    for step in 0..<1500 {
      let what = walk.step()
      try #require(walk.flaws() == [], "seed \(seed), step \(step): \(what)")
    }
  }
}

/// A random number generator with the same numbers in every run: SplitMix64.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

private struct Walk {
  private static let names = ["a", "b", "a.part", "b.part", "a.done", "b.done"]

  private var script: StagingScript
  private var dice: Dice
  /// The names about which the flow was asked and has not answered yet. They wait for the answer.
  private var asked: Set<String> = []

  init(seed: UInt64) {
    dice = Dice(state: seed)
    script = StagingScript(takesEmpty: seed % 3 == 0) {
      $0.stalled = .seconds(15)
      if seed % 2 == 0 { $0.marker = ".done" }
    }
  }

  /// Performs a random step and returns its description.
  mutating func step() -> String {
    let name = pick(Self.names)
    let key = StagingScript.key(name)
    let what = Int.random(in: 0..<16, using: &dice)
    switch what {
    case 0...2: note(name, script.write(name, size: .random(in: 0...3, using: &dice), hint(), evidence: evidence()))
    case 3: note(name, script.inspect(name, hint(), evidence: evidence()))
    case 4: note(name, script.replace(name, size: .random(in: 0...3, using: &dice), hint(), evidence: evidence()))
    case 5: note(name, script.inspect(name, kind: pick([.special("a pipe"), StagingScript.kind(name)])))
    case 6:
      script.lose(name)
      asked.remove(name)
    case 7...8: answer(name)
    case 9:
      let waiting: Waiting? = pick([nil, .notYet, .retry, .cannotTake])
      let endsAtChange = Bool.random(using: &dice)
      // An existing payload is not changed.
      let isStaged = script[name] != nil
      let next = script.staging.putBack(key, waiting, "because", endsAtChange: endsAtChange, at: script.now)
      if !isStaged { note(name, next) }
    case 10: script.staging.claimed(key, at: script.now)
    case 11: script.staging.isPaused.toggle()
    case 12: script.staging.setBlocked(pick([nil, "no room"]), at: script.now)
    case 13:
      note(name, pick([true, false]) ? script.staging.force(key, at: script.now) : script.reconsider(name))
    case 14: note(name, script.staging.askNow(key, at: script.now))
    default:
      script.wait(pick([.milliseconds(100), .seconds(1), .seconds(5), .seconds(20)]))
      for name in script.due() { note(name, script.inspect(name, [], kind: script[name]?.name)) }
    }
    return "\(what) of \(name)"
  }

  /// Descriptions of everything that is wrong.
  func flaws() -> [String] {
    var flaws: [String] = []
    let all = Array(script.staging.all)
    if script.staging.count != all.count { flaws.append("count \(script.staging.count), not \(all.count)") }
    let bytes = all.reduce(0) { $0 + $1.payload.status.size }
    if script.staging.bytes != bytes { flaws.append("bytes \(script.staging.bytes), not \(bytes)") }
    let arriving = all.count { $0.payload.waiting.isArriving }
    if script.staging.arriving != arriving { flaws.append("arriving \(script.staging.arriving), not \(arriving)") }
    var later = script.staging
    let coming = Set(later.due(at: .seconds(1_000_000_000)))
    for (key, payload) in all where !asked.contains(key.name.description) {
      if payload.nextInspection == nil ? !waitsForEvent(key, payload) : !coming.contains(key) {
        flaws.append("\(key.name) is forgotten: \(payload.waiting), \(payload.detail)")
      }
    }
    return flaws
  }

  /// Whether the wait ends with an event: another file arrives or disappears, or the payload itself changes.
  private func waitsForEvent(_ key: PayloadKey, _ payload: StagedPayload) -> Bool {
    switch payload.waiting {
    case .special, .temporaryName: true
    case .paused: script.staging.isPaused
    case .blocked: script.staging.blocked != nil
    case .stalled:
      payload.name != .ordinary || payload.detail.contains("marker")
        || payload.detail.contains("beside it") && hasTransfer(key, evenStalled: payload.status.size == 0)
    default: false
    }
  }

  private func hasTransfer(_ key: PayloadKey, evenStalled: Bool) -> Bool {
    guard let beside = script[key.name.description + ".part"], case .temporary = beside.name else { return false }
    return evenStalled || beside.waiting != .stalled
  }

  private mutating func note(_ name: String, _ next: Staging.Next) {
    if next == .ask, script[name] != nil { asked.insert(name) } else { asked.remove(name) }
  }

  private mutating func answer(_ name: String) {
    guard asked.contains(name) else { return }
    note(
      name,
      script.answer(
        pick([.none(.lease), .none(.lease), .none(.quietOnly), .present, .unreadable("no"), .retry("later")]), name))
  }

  private mutating func hint() -> StagingHint {
    pick([[], .written, .closed, .renamed, [.renamed, .fromUntrusted], [.written, .closed], .afterCrash])
  }

  private mutating func evidence() -> Evidence { pick([.lease, .lease, .leaseNoMaps, .scans, .quietOnly]) }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &dice)]
  }
}
