/// What is decided of one payload: what it waits for, until when, and whether it is complete.
extension Staging {
  /// What a look changes of what is known.
  func note(_ payload: inout StagedPayload, _ status: FileStatus, _ hint: StagingHint, at now: Duration) {
    let old = payload.status
    let isOther = status.identity != old.identity
    let isChanged = isOther || !status.isUnchanged(since: old) || hint.contains(.written)
    if isOther || hint.contains(.renamed) {
      payload.cameComplete = hint.contains(.renamed) && hint.isDisjoint(with: [.fromUntrusted, .written])
      payload.isForced = false
      payload.greatest = status.size
      payload.lastProgress = now
    } else if isChanged {
      payload.cameComplete = false
      if status.size < old.size { payload.restarts += 1 }
      let grew = payload.restarts < 8 ? status.size > old.size : status.size > payload.greatest
      let filled = status.size == old.size && status.modified != old.modified && hint.contains(.written)
      if grew || filled || status.allocated > old.allocated && payload.restarts < 8 { payload.lastProgress = now }
      payload.greatest = max(payload.greatest, status.size)
    }
    if isChanged {
      payload.lastChange = now
      payload.equalInspections = 1
      payload.lastInspection = now
      payload.askSoon()
      if payload.held?.endsAtChange == true { payload.held = nil }
    } else {
      if now - payload.lastInspection >= Self.inspectionInterval {
        payload.equalInspections += 1
        payload.lastInspection = now
      }
      if hint.contains(.closed) { payload.askSoon() }
    }
    payload.status = status
  }

  /// Decides what a payload waits for and when it is looked at again, and keeps it.
  mutating func settle(_ key: PayloadKey, _ payload: inout StagedPayload, at now: Duration) -> Next {
    store.waits(key, for: nil)
    let next = decide(key, &payload, at: now)
    store.keep(key, payload)
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
    if let held = payload.held, held.until > now {
      wait(&payload, held.waiting, held.detail, until: held.until, at: now)
      return .wait
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
    if payload.status.size == 0, !takesEmpty {
      if let beside = store.temporary(of: key).any {
        store.waits(key, for: beside)
        return (.empty, "a temporary file of its name lies beside it", nil)
      }
      let until = payload.lastChange + rules.emptyGrace
      if until > now { return (.empty, "nothing has been written to it yet", until) }
    } else if !payload.cameComplete, payload.status.size > 0,
      let beside = store.temporary(of: key).transfer
    {
      store.waits(key, for: beside)
      return (.quiet, "a temporary file of its name lies beside it", nil)
    }
    let quiet = quiet(for: payload)
    let until = payload.lastChange + quiet
    if until > now { return (.quiet, "written a moment ago", until) }
    let looks = requiredInspections(payload.evidence)
    if payload.equalInspections < looks {
      return (
        .quiet, "look \(payload.equalInspections) of \(looks): writers cannot be seen here",
        payload.lastInspection + Self.inspectionInterval
      )
    }
    return nil
  }

  private func quiet(for payload: StagedPayload) -> Duration {
    if payload.isAfterCrash { return rules.quiet * 2 }
    let isProved = payload.evidence == .lease && payload.status.links == 1
    return payload.cameComplete && isProved ? .zero : rules.quiet
  }

  /// Equal looks, apart in time, that stand in for what events and leases cannot tell.
  private func requiredInspections(_ evidence: Evidence) -> Int {
    switch evidence {
    case .lease, .quietOnly: 1
    case .leaseNoMaps: 2
    case .scans: 3
    }
  }

  /// Sets what is shown. What is arriving without progress for `Stalled` is shown as stalled, and still looked at.
  func wait(
    _ payload: inout StagedPayload, _ waiting: Waiting, _ detail: String, until: Duration?, at now: Duration
  ) {
    payload.waiting = waiting
    payload.detail = detail
    payload.nextInspection = until
    guard waiting.isArriving else { return }
    let stalls = payload.lastProgress + rules.stalled
    if stalls <= now {
      payload.waiting = .stalled
      payload.detail = detail + "; no progress for \(rules.stalled.formatted)"
    } else {
      payload.nextInspection = until.map { min($0, stalls) } ?? stalls
    }
  }

  func hold(
    _ payload: inout StagedPayload, _ waiting: Waiting, _ detail: String, endsAtChange: Bool, at now: Duration
  ) {
    let last = waiting == .blocked ? Self.lastPlaceBackOff : Self.lastBackOff
    var backoff = Backoff(limit: last, after: payload.held?.back ?? .zero)
    let back = backoff.next()
    payload.held = StagedPayload.Held(
      waiting: waiting, detail: detail, until: now + back, back: back, endsAtChange: endsAtChange)
  }
}
