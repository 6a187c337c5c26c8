/// Which payloads of a zone are staged, what each waits for, and which are released.
///
/// Looks and answers go in with the time they were made; what to do next comes out. Nothing here reads a clock or a
/// file: a test is a script.
package struct Staging: Sendable {
  package static let firstAskInterval = Duration.milliseconds(200)
  static let lastAskInterval = Duration.seconds(5)
  static let inspectionInterval = Duration.seconds(5)
  static let firstBackOff = Duration.seconds(1)
  static let lastBackOff = Duration.seconds(60)
  /// Of what waits for a place.
  static let lastPlaceBackOff = Duration.seconds(30)
  /// How many of a zone's payloads may be on their way to the claim; the others wait where they are, and cost less.
  static let inFlightLimit = 2048

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
  package var sessionItems = 0

  var store: StagedStore
  private(set) var inFlight: [PayloadKey: StagedPayload] = [:]
  private var postponed = PostponedPayloads()

  /// `tiesOfTemporary` says what a temporary name has in common with those that it may stand for.
  package init(
    rules: StagingRules, takesEmpty: Bool, tiesOfTemporary: @escaping @Sendable (RawPath) -> [NameTie]
  ) {
    self.rules = rules
    self.takesEmpty = takesEmpty
    store = StagedStore(tiesOfTemporary: tiesOfTemporary)
  }

  package subscript(key: PayloadKey) -> StagedPayload? { store[key] }

  /// All that are listed.
  package var count: Int { store.count }
  package var bytes: Int64 { store.bytes }
  /// Those that light the zone.
  package var arriving: Int { store.arriving }
  /// Whether one waits for a place, or to be tried again.
  package var hasTrouble: Bool { store.inTrouble > 0 }
  package var nextDeadline: Duration? { store.nextDeadline }

  package func names(in directory: Int32) -> [RawPath] { store.names(in: directory) }

  /// Made one by one as they are asked for. Whoever changes the staging meanwhile would copy it.
  package var all: some Sequence<(key: PayloadKey, payload: StagedPayload)> { store.all }

  /// What `transform` makes of the oldest of them, at most so many, in no order.
  package func map<Result>(oldest limit: Int, _ transform: (PayloadKey, StagedPayload) -> Result) -> [Result] {
    store.map(oldest: limit, transform)
  }

  package func isInFlight(_ key: PayloadKey, _ identity: FileIdentity) -> Bool {
    inFlight[key]?.status.identity == identity
  }

  /// A payload that was released and not yet claimed.
  package func released(_ key: PayloadKey) -> StagedPayload? { inFlight[key] }

  package var inFlightCount: Int { inFlight.count }

  /// Whether something that waited for a place, or to be tried again, is staged or on its way again.
  package var isWaitingForPlace: Bool {
    hasTrouble || inFlight.values.contains { $0.waiting.isTrouble }
  }

  package func inFlight(in directory: Int32) -> [PayloadKey] { inFlight.keys.filter { $0.directory == directory } }

  /// Which of these files are staged or in flight.
  package func present(of identities: Set<FileIdentity>) -> Set<FileIdentity> {
    var present = identities.intersection(inFlight.values.lazy.map(\.status.identity))
    for (_, payload) in all where identities.contains(payload.status.identity) {
      present.insert(payload.status.identity)
    }
    return present
  }

  /// What goes with each staged file when the zone is set up anew.
  package var origins: [FileIdentity: StagedPayload.Origin] {
    var origins: [FileIdentity: StagedPayload.Origin] = [:]
    for (_, payload) in all {
      var origin = StagedPayload.Origin(
        id: payload.id, firstSeen: payload.firstSeen, attempts: payload.attempts, starts: payload.starts,
        ordinal: payload.ordinal)
      origin.held = payload.held
      origins[payload.status.identity] = origin
    }
    return origins
  }
}

// MARK: - What comes in

extension Staging {
  /// A look at a name found `sight`. `new` is asked for an id, and what is known of the file, when it was not there.
  package mutating func see(
    _ key: PayloadKey, _ status: FileStatus, _ name: PayloadKind, evidence: Evidence, hint: StagingHint = [],
    generation: UInt64 = 0, at now: Duration, new: @autoclosure () -> StagedPayload.Origin
  ) -> Next {
    if isInFlight(key, status.identity) { return .wait }
    var payload: StagedPayload
    if let known = self[key] {
      payload = known
      payload.generation = max(payload.generation, generation)
      note(&payload, status, hint, at: now)
      if payload.evidence != evidence { payload.evidence = evidence }
    } else {
      let origin = new()
      // A file that was here before is not another item.
      if origin.ordinal == nil { sessionItems += 1 }
      payload = StagedPayload(
        id: origin.id, status: status, name: name, evidence: evidence, firstSeen: origin.firstSeen,
        cameComplete: hint.contains(.renamed) && hint.isDisjoint(with: [.fromUntrusted, .written]), at: now)
      payload.isAfterCrash = hint.contains(.afterCrash)
      payload.attempts = origin.attempts
      payload.starts = origin.starts
      payload.held = origin.held
      payload.ordinal = origin.ordinal ?? sessionItems
      payload.generation = generation
      inspectMarker(of: key, at: now)
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
      store.remove(key)
      inFlight[key] = payload
      return .release
    case .present:
      payload.foundWriter(at: now)
      wait(&payload, .writer, "somebody has it open for writing", until: payload.nextAsk, at: now)
      store.keep(key, payload)
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
    defer { inspectMarker(of: key, at: .zero) }
    return store.remove(key)
  }

  /// The flow has claimed it, or it is gone from under the flow.
  package mutating func claimed(_ key: PayloadKey, at now: Duration) {
    inFlight[key] = nil
    // What came under its name has waited for this.
    store.inspectSoon(at: key, now)
    inspectMarker(of: key, at: now)
  }

  private mutating func reconsiderAll(at now: Duration = .zero) {
    for key in all.map({ $0.key }) { store.inspectSoon(at: key, now) }
  }

  /// A marker lights the zone as long as its file does not.
  private mutating func inspectMarker(of key: PayloadKey, at now: Duration) {
    if let marker = marker(of: key) { store.inspectSoon(at: marker, now) }
  }

  func marker(of key: PayloadKey) -> PayloadKey? {
    rules.marker.map { PayloadKey(directory: key.directory, name: RawPath(bytes: key.name.bytes + $0.utf8)) }
  }

  /// Whether a marker's file is here already.
  func isAnswered(_ marker: PayloadKey) -> Bool {
    guard let suffix = rules.marker?.utf8 else { return false }
    let file = PayloadKey(
      directory: marker.directory, name: RawPath(bytes: marker.name.bytes.dropLast(suffix.count)))
    return inFlight[file] != nil || self[file] != nil
  }

  /// The flow has not claimed it: it is staged again. It waits as told, or owes the quiet time anew.
  package mutating func putBack(
    _ key: PayloadKey, _ waiting: Waiting?, _ detail: String, endsAtChange: Bool = false, at now: Duration
  ) -> Next {
    guard var payload = inFlight.removeValue(forKey: key) else { return .wait }
    guard self[key] == nil else {
      store.inspectSoon(at: key, now)
      return .wait
    }
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

  /// Blocks or unblocks the whole zone; everything is looked at again.
  package mutating func setBlocked(_ reason: String?, at now: Duration) {
    guard blocked != reason else { return }
    blocked = reason
    reconsiderAll(at: now)
  }

  /// The keys whose time has come, to be looked at again; `limit` at most, and the rest at the next asking.
  package mutating func due(at now: Duration, limit: Int = .max) -> [PayloadKey] { store.due(at: now, limit: limit) }

  /// Whether one more payload may be on its way to the claim.
  package var hasRoomInFlight: Bool { inFlight.count < Self.inFlightLimit }

  /// Asks about a payload later, when fewer are on their way to the claim.
  package mutating func postpone(_ key: PayloadKey) {
    postponed.append(key)
  }

  /// Returns postponed payloads that are to be asked about now; those that wait for something else by now are left out.
  package mutating func takePostponed(at now: Duration) -> [PayloadKey] {
    guard !postponed.isEmpty else { return [] }
    var room = Self.inFlightLimit - inFlight.count
    var keys: [PayloadKey] = []
    while room > 0, let key = postponed.popFirst() {
      guard reconsider(key, at: now) == .ask else { continue }
      keys.append(key)
      room -= 1
    }
    return keys
  }

  /// Decides again about a payload that has not been inspected again, because another one has come or gone.
  package mutating func reconsider(_ key: PayloadKey, at now: Duration) -> Next {
    guard var payload = self[key] else { return .wait }
    return settle(key, &payload, at: now)
  }
}
