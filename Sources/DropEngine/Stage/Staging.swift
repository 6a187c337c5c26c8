/// Which payloads of a zone are staged, what each waits for, and which are released.
///
/// Looks and answers go in with the time they were made; what to do next comes out. Nothing here reads a clock or a
/// file: a test is a script.
package struct Staging: Sendable {
  package static let firstAskInterval = Duration.milliseconds(200)
  static let lastAskInterval = Duration.seconds(5)
  static let lookInterval = Duration.seconds(5)
  static let firstBackOff = Duration.seconds(1)
  static let lastBackOff = Duration.seconds(60)
  /// Of what waits for a place.
  static let lastPlaceBackOff = Duration.seconds(30)

  package enum Next: Hashable, Sendable {
    case wait
    /// Ask whether somebody has it open for writing, and answer with ``answer(_:_:at:)``.
    case ask
    /// It is complete: it has left the staged and is in flight.
    case release
  }

  package enum Writer: Hashable, Sendable {
    case none(Evidence)
    case present
    /// Not to be read by this process.
    case unreadable(String)
    /// A passing error.
    case retry(String)
  }

  package var rules: StagingRules
  package var takesEmpty: Bool
  package var isPaused = false { didSet { if isPaused != oldValue { reconsiderAll() } } }
  /// Why no payload can be delivered now; none is claimed meanwhile.
  package private(set) var blocked: String?
  /// Payloads that light the zone.
  package private(set) var arriving = 0
  /// All that are listed.
  package private(set) var count = 0
  package var bytes: Int64 { Int64(clamping: total) }
  package var sessionItems = 0

  /// Bytes of all that are listed: a few sparse files are more than `Int64` holds.
  private var total: Int128 = 0
  private var directories: [Int32: [RawPath: Int32]] = [:]
  private var slots = StagedSlots()
  private var temporaries: [Int32: TemporaryIndex] = [:]
  private var inFlight: [PayloadKey: StagedPayload] = [:]
  private var deadlines = DeadlineHeap<PayloadKey>()
  private let tiesOfTemporary: @Sendable (RawPath) -> [NameTie]

  /// `tiesOfTemporary` says what a temporary name has in common with those that it may stand for.
  package init(
    rules: StagingRules, takesEmpty: Bool, tiesOfTemporary: @escaping @Sendable (RawPath) -> [NameTie]
  ) {
    self.rules = rules
    self.takesEmpty = takesEmpty
    self.tiesOfTemporary = tiesOfTemporary
  }

  package subscript(key: PayloadKey) -> StagedPayload? {
    directories[key.directory]?[key.name].map { slots[$0] }
  }

  package func isInFlight(_ key: PayloadKey, _ identity: FileIdentity) -> Bool {
    inFlight[key]?.sight.identity == identity
  }

  /// A payload that was released and not yet claimed.
  package func released(_ key: PayloadKey) -> StagedPayload? { inFlight[key] }

  package var inFlightCount: Int { inFlight.count }

  package func names(in directory: Int32) -> [RawPath] {
    directories[directory].map { Array($0.keys) } ?? []
  }

  /// Made one by one as they are asked for. Whoever changes the staging meanwhile would copy it.
  package var all: some Sequence<(key: PayloadKey, payload: StagedPayload)> {
    directories.lazy.flatMap { directory, names in
      names.lazy.map { (key: PayloadKey(directory: directory, name: $0.key), payload: slots[$0.value]) }
    }
  }

  /// What `transform` makes of the oldest of them, at most so many, in no order.
  package func map<Result>(oldest limit: Int, _ transform: (PayloadKey, StagedPayload) -> Result) -> [Result] {
    let end = count > limit ? directories.values.flatMap { $0.values.map { slots[$0].age } }.sorted(by: <)[limit] : nil
    var results: [Result] = []
    results.reserveCapacity(min(count, limit))
    for (directory, names) in directories {
      for (name, slot) in names {
        let payload = slots[slot]
        if let end, payload.age >= end { continue }
        results.append(transform(PayloadKey(directory: directory, name: name), payload))
      }
    }
    return results
  }

  /// Which of these files are staged or in flight.
  package func present(of identities: Set<FileIdentity>) -> Set<FileIdentity> {
    var present = identities.intersection(inFlight.values.lazy.map(\.sight.identity))
    for names in directories.values {
      for slot in names.values where identities.contains(slots[slot].sight.identity) {
        present.insert(slots[slot].sight.identity)
      }
    }
    return present
  }

  /// What goes with each staged file when the zone is set up anew.
  package var origins: [FileIdentity: StagedPayload.Origin] {
    var origins: [FileIdentity: StagedPayload.Origin] = [:]
    for names in directories.values {
      for slot in names.values {
        let payload = slots[slot]
        var origin = StagedPayload.Origin(
          id: payload.id, firstSeen: payload.firstSeen, attempts: payload.attempts, starts: payload.starts)
        origin.held = payload.held
        origins[payload.sight.identity] = origin
      }
    }
    return origins
  }

  package var nextDeadline: Duration? { deadlines.first }
}

// MARK: - What comes in

extension Staging {
  /// A look at a name found `sight`. `new` is asked for an id, and what is known of the file, when it was not there.
  package mutating func see(
    _ key: PayloadKey, _ sight: Sight, _ name: PayloadKind, evidence: Evidence, hint: StagingHint = [],
    generation: UInt64 = 0, at now: Duration, new: @autoclosure () -> StagedPayload.Origin
  ) -> Next {
    if isInFlight(key, sight.identity) { return .wait }
    var payload: StagedPayload
    if let known = self[key] {
      payload = known
      payload.generation = max(payload.generation, generation)
      note(&payload, sight, hint, at: now)
      if payload.evidence != evidence { payload.evidence = evidence }
    } else {
      let origin = new()
      sessionItems += 1
      payload = StagedPayload(
        id: origin.id, sight: sight, name: name, evidence: evidence, firstSeen: origin.firstSeen,
        cameComplete: hint.contains(.renamed) && hint.isDisjoint(with: [.fromUntrusted, .written]), at: now)
      payload.isAfterCrash = hint.contains(.afterCrash)
      payload.attempts = origin.attempts
      payload.starts = origin.starts
      payload.held = origin.held
      payload.ordinal = sessionItems
      payload.generation = generation
      lookAtMarker(of: key, at: now)
      count += 1
      total += Int128(sight.size)
      arriving += 1
    }
    payload.name = name
    return settle(key, &payload, at: now)
  }

  /// The writer check's answer.
  package mutating func answer(_ key: PayloadKey, _ writer: Writer, at now: Duration) -> Next {
    guard var payload = self[key] else { return .wait }
    switch writer {
    case .none(let evidence):
      if inFlight[key] != nil { return settle(key, &payload, at: now) }
      // Without a lease a rename proves nothing: the quiet time is owed after all.
      if evidence == .quietOnly, payload.cameComplete {
        payload.cameComplete = false
        payload.evidence = .quietOnly
        return settle(key, &payload, at: now)
      }
      payload.evidence = evidence
      remove(key)
      inFlight[key] = payload
      return .release
    case .present:
      payload.foundWriter(at: now)
      wait(&payload, .writer, "somebody has it open for writing", until: payload.nextAsk, at: now)
      store(key, payload)
      return .wait
    case .unreadable(let detail):
      hold(&payload, .unreadable, detail, endsAtChange: true, at: now)
    case .retry(let detail):
      hold(&payload, .retry, detail, endsAtChange: false, at: now)
    }
    return settle(key, &payload, at: now)
  }

  /// The name is gone, or a look no longer finds it. Returns what was known of it.
  package mutating func lose(_ key: PayloadKey) -> StagedPayload? {
    defer { lookAtMarker(of: key, at: .zero) }
    return remove(key)
  }

  /// The flow has claimed it, or it is gone from under the flow.
  package mutating func claimed(_ key: PayloadKey, at now: Duration) {
    inFlight[key] = nil
    // What came under its name has waited for this.
    lookSoon(at: key, now)
    lookAtMarker(of: key, at: now)
  }

  /// A marker lights the zone as long as its file does not.
  private mutating func lookAtMarker(of key: PayloadKey, at now: Duration) {
    if let marker = marker(of: key) { lookSoon(at: marker, now) }
  }

  private func marker(of key: PayloadKey) -> PayloadKey? {
    rules.marker.map { PayloadKey(directory: key.directory, name: RawPath(bytes: key.name.bytes + $0.utf8)) }
  }

  /// Whether a marker's file is here already.
  private func isAnswered(_ marker: PayloadKey) -> Bool {
    guard let suffix = rules.marker?.utf8 else { return false }
    let file = PayloadKey(
      directory: marker.directory, name: RawPath(bytes: marker.name.bytes.dropLast(suffix.count)))
    return inFlight[file] != nil || self[file] != nil
  }

  private mutating func lookSoon(at key: PayloadKey, _ now: Duration) {
    guard var payload = self[key] else { return }
    payload.nextLook = now
    store(key, payload)
  }

  /// The flow has not claimed it: it is staged again. It waits as told, or owes the quiet time anew.
  package mutating func putBack(
    _ key: PayloadKey, _ waiting: Waiting?, _ detail: String, endsAtChange: Bool = false, at now: Duration
  ) -> Next {
    guard var payload = inFlight.removeValue(forKey: key) else { return .wait }
    guard self[key] == nil else {
      lookSoon(at: key, now)
      return .wait
    }
    count += 1
    total += Int128(payload.sight.size)
    arriving += 1
    if let waiting {
      hold(&payload, waiting, detail, endsAtChange: endsAtChange, at: now)
    } else {
      payload.held = nil
      payload.nextAsk = now + payload.askInterval
      payload.lastChange = now
      payload.cameComplete = false
    }
    return settle(key, &payload, at: now)
  }

  /// The flow claims none of those that it was told of and that it has not answered; returns them.
  package mutating func putBackReleased(at now: Duration) -> [DropID] {
    let released = inFlight
    for key in released.keys { _ = putBack(key, nil, "", at: now) }
    return released.values.map(\.id)
  }

  /// An operator wants it taken as it is.
  package mutating func force(_ key: PayloadKey, at now: Duration) -> Next {
    guard var payload = self[key] else { return .wait }
    payload.isForced = true
    payload.held = nil
    return settle(key, &payload, at: now)
  }

  /// An operator wants it asked for now, not when its back-off ends.
  package mutating func askNow(_ key: PayloadKey, at now: Duration) -> Next {
    guard var payload = self[key] else { return .wait }
    payload.held = nil
    payload.nextAsk = .zero
    return settle(key, &payload, at: now)
  }

  /// Blocks or unblocks the whole zone; returns what is worth looking at again.
  package mutating func setBlocked(_ reason: String?, at now: Duration) {
    guard blocked != reason else { return }
    blocked = reason
    reconsiderAll(at: now)
  }

  /// The keys whose time has come, to be looked at again; `limit` at most, and the rest at the next asking.
  package mutating func due(at now: Duration, limit: Int = .max) -> [PayloadKey] {
    var keys: [PayloadKey] = []
    while keys.count < limit, let entry = deadlines.pop(until: now) {
      guard let payload = self[entry.key], payload.stamp == entry.stamp else { continue }
      keys.append(entry.key)
    }
    return keys
  }

  /// Looks again at a payload without a new sight, because another one has come or gone.
  package mutating func reconsider(_ key: PayloadKey, at now: Duration) -> Next {
    guard var payload = self[key] else { return .wait }
    return settle(key, &payload, at: now)
  }
}

// MARK: - What is decided

extension Staging {
  /// What a look changes of what is known.
  private func note(_ payload: inout StagedPayload, _ sight: Sight, _ hint: StagingHint, at now: Duration) {
    let old = payload.sight
    let isOther = sight.identity != old.identity
    let isChanged = isOther || !sight.isUnchanged(since: old) || hint.contains(.written)
    if isOther || hint.contains(.renamed) {
      payload.cameComplete = hint.contains(.renamed) && hint.isDisjoint(with: [.fromUntrusted, .written])
      payload.isForced = false
      payload.greatest = sight.size
      payload.lastProgress = now
    } else if isChanged {
      payload.cameComplete = false
      if sight.size < old.size { payload.restarts += 1 }
      let grew = payload.restarts < 8 ? sight.size > old.size : sight.size > payload.greatest
      let filled = sight.size == old.size && sight.modified != old.modified && hint.contains(.written)
      if grew || filled || sight.allocated > old.allocated && payload.restarts < 8 { payload.lastProgress = now }
      payload.greatest = max(payload.greatest, sight.size)
    }
    if isChanged {
      payload.lastChange = now
      payload.equalLooks = 1
      payload.lastLook = now
      payload.askSoon()
      if payload.held?.endsAtChange == true { payload.held = nil }
    } else {
      if now - payload.lastLook >= Self.lookInterval {
        payload.equalLooks += 1
        payload.lastLook = now
      }
      if hint.contains(.closed) { payload.askSoon() }
    }
    payload.sight = sight
  }

  /// Decides what a payload waits for and when it is looked at again, and keeps it.
  private mutating func settle(_ key: PayloadKey, _ payload: inout StagedPayload, at now: Duration) -> Next {
    waits(key, for: nil)
    let next = decide(key, &payload, at: now)
    store(key, payload)
    return next
  }

  private mutating func decide(_ key: PayloadKey, _ payload: inout StagedPayload, at now: Duration) -> Next {
    if case .special(let why) = payload.name {
      wait(&payload, .special, why, until: nil, at: now)
      return .wait
    }
    if isPaused {
      wait(&payload, .paused, "the zone is paused", until: nil, at: now)
      return .wait
    }
    if let held = payload.held {
      if let until = held.until, until > now {
        wait(&payload, held.waiting, held.detail, until: until, at: now)
        return .wait
      }
      if held.until == nil {
        wait(&payload, held.waiting, held.detail, until: nil, at: now)
        return .wait
      }
    }
    if inFlight[key] != nil {
      // The flow's answer is about the file that had the name before.
      wait(&payload, .quiet, "the file before it is being taken", until: now + Self.firstAskInterval, at: now)
      return .wait
    }
    if payload.isForced {
      if case .ordinary = payload.name, blocked == nil { return .ask }
    }
    if let (waiting, detail, until) = unfinished(key, payload, at: now) {
      wait(&payload, waiting, detail, until: until, at: now)
      return .wait
    }
    if let blocked {
      wait(&payload, .blocked, blocked, until: nil, at: now)
      return .wait
    }
    if payload.nextAsk > now {
      wait(&payload, .writer, "somebody has it open for writing", until: payload.nextAsk, at: now)
      return .wait
    }
    return .ask
  }

  /// What still keeps a payload from being complete, and until when; nil when only a writer could.
  private mutating func unfinished(
    _ key: PayloadKey, _ payload: StagedPayload, at now: Duration
  ) -> (Waiting, String, until: Duration?)? {
    switch payload.name {
    case .temporary: return (.temporaryName, "its name is a temporary one", nil)
    case .marker:
      return isAnswered(key)
        ? (.special, "announces the file beside it", nil) : (.quiet, "marker without its file", nil)
    default: break
    }
    if let marker = marker(of: key), self[marker] == nil {
      return (.quiet, "marker missing", nil)
    }
    if payload.sight.size == 0, !takesEmpty {
      if let beside = temporaries[key.directory]?.temporary(of: key.name).any {
        waits(key, for: beside)
        return (.empty, "a temporary file of its name lies beside it", nil)
      }
      let until = payload.lastChange + rules.emptyGrace
      if until > now { return (.empty, "nothing has been written to it yet", until) }
    } else if !payload.cameComplete, payload.sight.size > 0,
      let beside = temporaries[key.directory]?.temporary(of: key.name).transfer
    {
      waits(key, for: beside)
      return (.quiet, "a temporary file of its name lies beside it", nil)
    }
    let quiet = quiet(for: payload)
    let until = payload.lastChange + quiet
    if until > now { return (.quiet, "written a moment ago", until) }
    let looks = requiredLooks(payload.evidence)
    if payload.equalLooks < looks {
      return (
        .quiet, "look \(payload.equalLooks) of \(looks): writers cannot be seen here",
        payload.lastLook + Self.lookInterval
      )
    }
    return nil
  }

  private func quiet(for payload: StagedPayload) -> Duration {
    if payload.isAfterCrash { return rules.quiet * 2 }
    let isProved = payload.evidence == .lease && payload.sight.links == 1
    return payload.cameComplete && isProved ? .zero : rules.quiet
  }

  /// Equal looks, apart in time, that stand in for what events and leases cannot tell.
  private func requiredLooks(_ evidence: Evidence) -> Int {
    switch evidence {
    case .lease, .quietOnly: 1
    case .leaseNoMaps: 2
    case .scans: 3
    }
  }

  /// Sets what is shown. What is arriving without progress for `Stalled` is shown as stalled, and still looked at.
  private func wait(
    _ payload: inout StagedPayload, _ waiting: Waiting, _ detail: String, until: Duration?, at now: Duration
  ) {
    payload.waiting = waiting
    payload.detail = detail
    payload.nextLook = until
    guard waiting.isArriving else { return }
    let stalls = payload.lastProgress + rules.stalled
    if stalls <= now {
      payload.waiting = .stalled
      payload.detail = detail + "; no progress for \(rules.stalled.formatted)"
    } else {
      payload.nextLook = until.map { min($0, stalls) } ?? stalls
    }
  }

  private func hold(
    _ payload: inout StagedPayload, _ waiting: Waiting, _ detail: String, endsAtChange: Bool, at now: Duration
  ) {
    let last = waiting == .blocked ? Self.lastPlaceBackOff : Self.lastBackOff
    let back = payload.held.map { min($0.back * 2, last) } ?? Self.firstBackOff
    payload.held = StagedPayload.Held(
      waiting: waiting, detail: detail, until: now + back, back: back, endsAtChange: endsAtChange)
  }

  private mutating func reconsiderAll(at now: Duration = .zero) {
    for key in all.map({ $0.key }) { lookSoon(at: key, now) }
  }
}

// MARK: - What is kept

extension Staging {
  private mutating func store(_ key: PayloadKey, _ payload: StagedPayload) {
    guard let slot = directories[key.directory]?[key.name] else {
      // A new one was counted by who made it, as arriving.
      arriving += payload.waiting.isArriving ? 0 : -1
      directories[key.directory, default: [:]][key.name] = slots.insert(payload)
      index(key, nil, payload)
      if let next = payload.nextLook { remember(next, key, payload.stamp) }
      return
    }
    var payload = payload
    let old = slots[slot]
    total += Int128(payload.sight.size) - Int128(old.sight.size)
    arriving += (payload.waiting.isArriving ? 1 : 0) - (old.waiting.isArriving ? 1 : 0)
    let isMoved = old.nextLook != payload.nextLook
    if isMoved { payload.stamp = old.stamp &+ 1 }
    slots[slot] = payload
    index(key, old, payload)
    if isMoved, let next = payload.nextLook { remember(next, key, payload.stamp) }
  }

  /// A file that is written for long changes its mind often: what it thought before must not pile up.
  ///
  /// Called once the payload is kept: only deadlines that a kept one has are.
  private mutating func remember(_ deadline: Duration, _ key: PayloadKey, _ stamp: UInt32) {
    deadlines.push(deadline, key, stamp)
    guard deadlines.count > 4 * count + 1024 else { return }
    var current = deadlines
    current.keep { self[$0.key]?.stamp == $0.stamp }
    deadlines = current
  }

  @discardableResult private mutating func remove(_ key: PayloadKey) -> StagedPayload? {
    guard let slot = directories[key.directory]?.removeValue(forKey: key.name) else { return nil }
    if directories[key.directory]?.isEmpty == true { directories[key.directory] = nil }
    let payload = slots.remove(slot)
    waits(key, for: nil)
    index(key, payload, nil)
    count -= 1
    total -= Int128(payload.sight.size)
    if payload.waiting.isArriving { arriving -= 1 }
    return payload
  }

  /// Keeps what temporary names stand for. Who waits for one that goes, or stalls, is looked at again.
  private mutating func index(_ key: PayloadKey, _ old: StagedPayload?, _ new: StagedPayload?) {
    guard old?.isTemporary != new?.isTemporary || old?.isTransfer != new?.isTransfer else { return }
    let ties = tiesOfTemporary(key.name)
    // The new one first: what is only seen anew is not gone meanwhile.
    if let new, new.isTemporary {
      temporaries[key.directory, default: TemporaryIndex()].add(ties, isTransfer: new.isTransfer)
    }
    guard let old, old.isTemporary else { return }
    let released = temporaries[key.directory]?.remove(ties, wasTransfer: old.isTransfer) ?? []
    for name in released { lookSoon(at: PayloadKey(directory: key.directory, name: name), .zero) }
    if temporaries[key.directory]?.isEmpty == true { temporaries[key.directory] = nil }
  }

  private mutating func waits(_ key: PayloadKey, for tie: NameTie?) {
    temporaries[key.directory]?.wait(key.name, for: tie)
    if temporaries[key.directory]?.isEmpty == true { temporaries[key.directory] = nil }
  }
}

extension StagedPayload {
  fileprivate var isTemporary: Bool { if case .temporary = name { true } else { false } }

  /// Whether it is a transfer that goes on, as far as is known.
  fileprivate var isTransfer: Bool { isTemporary && waiting != .stalled }
}
