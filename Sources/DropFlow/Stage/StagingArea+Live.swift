import DropEngine
import DropSystem

/// Zones with a configuration of the program's: what changes is asked about ten times a second, what is complete before
/// it goes on. Asking is the configurator's, on its own thread; here it is only noted.
extension StagingArea {
  /// Makes the configurator of a zone that has somebody to ask or to tell.
  func openConfigurator(of zone: WatchedZone) {
    let plan = zone.plan
    guard plan.configuration != nil || plan.watcher != nil else { return }
    nextConfigurator += 1
    let (number, name) = (nextConfigurator, plan.name)
    let configurator = LiveConfigurator(
      box: plan.settings.box, operation: plan.settings.delivery.operation, configuration: plan.configuration,
      typer: typer
    ) { [weak self] answers, isRelease in
      Task { await self?.answered(answers, isRelease: isRelease, in: name, by: number) }
    }
    zone.live = LiveZone(number: number, configurator: configurator, asksConfiguration: plan.configuration != nil)
    liveZones.insert(name)
  }

  /// Lets go of the configurator; what is with it is staged anew by the scan that follows, or stays where it is.
  func closeConfigurator(of zone: WatchedZone) {
    guard let live = zone.live else { return }
    live.configurator.close()
    for caller in live.retries.values { caller.resume(returning: .late) }
    for release in live.waiting + live.asked.values { zone.sessions.giveBack(release.payload.id) }
    zone.live = nil
    liveZones.remove(zone.plan.name)
  }

  // MARK: - What has changed

  /// Notes that a staged payload is not what it was.
  func changed(_ key: PayloadKey, in zone: WatchedZone) {
    guard zone.live != nil else { return }
    zone.sessions.change()
    zone.live?.changed.insert(key)
  }

  /// Sends what has changed to the desks.
  func askAboutChanges(at now: Duration) {
    for name in liveZones.sorted() {
      guard let zone = zones[name], let live = zone.live, !live.changed.isEmpty, live.nextRound <= now else { continue }
      let keys = live.changed
      zone.live?.changed = []
      zone.live?.nextRound = now + LiveZone.interval
      let staged = keys.compactMap { key in zone.staging[key].map { (key: key, payload: $0) } }
      let questions = staged.compactMap { key, payload in
        payload.name.isLive ? question(key, payload, location(of: key), live) : nil
      }
      guard let last = staged.max(by: { $0.payload.lastChange < $1.payload.lastChange }) else { continue }
      let view = view(of: zone, location: location(of: last.key), first: questions)
      if !questions.isEmpty {
        live.configurator.ask(LiveRound(root: zone.resolvedPath, view: view, questions: questions))
      }
      if let current = zone.sessions.current, current.phase == .active { zone.plan.watcher?.updated(view) }
    }
  }

  private func question(
    _ key: PayloadKey, _ payload: StagedPayload, _ location: RawPath, _ live: LiveZone
  ) -> LiveQuestion {
    LiveQuestion(
      key: key, id: payload.id, location: location, status: payload.status, wantsType: live.wantsType(of: payload))
  }

  func location(of key: PayloadKey) -> RawPath {
    tree.location(of: key.directory).appending(key.name)
  }

  // MARK: - What is complete

  /// Sends what is released on its way, by way of the configurator where the zone has a configuration.
  func sendReleases(at now: Duration) {
    for (name, batch) in releases {
      guard let zone = zones[name] else { continue }
      guard zone.live?.asksConfiguration == true else {
        zone.flow.submit(batch)
        continue
      }
      var ready: [Release] = []
      for release in batch {
        if release.payload.isForced {
          ready.append(release)
        } else if let (answer, at) = zone.live?.late.removeValue(forKey: release.payload.id),
          at + LiveZone.freshness > now, release.payload.status.isUnchanged(since: answer.question.status)
        {
          bind(release, to: answer, in: zone, &ready)
        } else if zone.live?.unanswered.contains(release.payload.id) == true {
          expect(release, in: zone, at: now)
        } else {
          if zone.live?.deadline == nil { zone.live?.lastAnswer = now }
          zone.live?.waiting.append(release)
        }
      }
      if !ready.isEmpty { zone.flow.submit(ready) }
    }
    releases = [:]
    for name in liveZones.sorted() {
      if let zone = zones[name], zone.live?.waiting.isEmpty == false { askAboutReleases(in: zone, at: now) }
    }
  }

  private func expect(_ release: Release, in zone: WatchedZone, at now: Duration) {
    if zone.live?.deadline == nil { zone.live?.lastAnswer = now }
    zone.live?.asked[release.payload.id] = release
  }

  /// Gives the configurator what is complete, together and in rounds: the next is made while one is answered.
  private func askAboutReleases(in zone: WatchedZone, at now: Duration) {
    while let live = zone.live, !live.waiting.isEmpty, live.unanswered.count <= ZoneFlow.batchLimit {
      let batch = Array(live.waiting.prefix(ZoneFlow.batchLimit))
      zone.live?.waiting.removeFirst(batch.count)
      var questions: [LiveQuestion] = []
      for release in batch {
        var question = question(release.key, release.payload, release.location, live)
        // What was read while somebody might write proves nothing.
        question.wantsType = release.payload.status.kind == .regular
        questions.append(question)
        zone.live?.asked[release.payload.id] = release
        zone.live?.unanswered.insert(release.payload.id)
      }
      guard let last = batch.last else { return }
      let view = view(of: zone, location: last.location, released: batch)
      live.configurator.askAtRelease(LiveRound(root: zone.resolvedPath, view: view, questions: questions))
    }
  }

  /// The configurator has answered.
  func answered(_ answers: [LiveAnswer], isRelease: Bool, in name: String, by number: Int) {
    guard let zone = zones[name], zone.live?.number == number else { return }
    let now = monotonicNow()
    zone.live?.lastAnswer = now
    var ready: [Release] = []
    for answer in answers {
      let id = answer.question.id
      noteSlow(answer, in: zone, at: now)
      let staged = zone.staging[answer.question.key].map { $0.id == id } ?? false
      if staged, let typed = answer.typed { zone.live?.types[id] = (typed, answer.question.status.size) }
      if staged { zone.live?.answers[id] = answer }
      guard isRelease else { continue }
      if let caller = zone.live?.retries.removeValue(forKey: id) {
        caller.resume(returning: answer.binding.map { .bound($0) } ?? .nobody)
        continue
      }
      zone.live?.unanswered.remove(id)
      if let release = zone.live?.asked.removeValue(forKey: id) {
        if release.payload.status.isUnchanged(since: answer.question.status) {
          bind(release, to: answer, in: zone, &ready)
        } else {
          zone.live?.waiting.append(release)
        }
      } else if staged {
        zone.live?.late[id] = (answer, now)
        if zone.staging.askNow(answer.question.key, at: now) == .ask { asks.append((name, answer.question.key)) }
      }
    }
    if !ready.isEmpty { zone.flow.submit(ready) }
    touch(name)
    turn(at: now)
  }

  private func bind(_ release: Release, to answer: LiveAnswer, in zone: WatchedZone, _ ready: inout [Release]) {
    var release = release
    release.typed = answer.typed
    switch answer.binding {
    case .take(let operation, let destination)?:
      release.operation = operation
      release.destination = destination
    case .refuse(let reason)?: release.refusal = reason
    case .stay(let reason)?: return giveBack([release], reason, in: zone, at: monotonicNow())
    case nil: break
    }
    ready.append(release)
  }

  /// Gives back what was not answered in time: neither it nor other payloads wait for a configuration that does not return.
  func giveUpAsking(in zone: WatchedZone, at now: Duration) {
    guard let live = zone.live, let deadline = live.deadline, deadline <= now else { return }
    let releases = live.waiting + live.asked.values.sorted { $0.payload.id < $1.payload.id }
    zone.live?.waiting = []
    zone.live?.asked = [:]
    let message = "its configuration has not answered within \(LiveZone.patience.formatted)"
    giveBack(releases, message, in: zone, at: now)
    if live.nextLateNaming <= now {
      zone.live?.nextLateNaming = now + LiveZone.nameInterval
      log.warning(
        "\(message): \(releases.count == 1 ? "it stays" : "\(releases.count) stay") in the zone and "
          + "\(releases.count == 1 ? "is" : "are") asked about again", zone: zone.plan.name, id: nil,
        location: releases.first?.location)
    }
  }

  private func giveBack(_ releases: [Release], _ detail: String, in zone: WatchedZone, at now: Duration) {
    for release in releases {
      zone.sessions.giveBack(release.payload.id)
      zone.askedAgain.remove(release.payload.id)
      if zone.staging.putBack(release.key, .notYet, detail, endsAtChange: true, at: now) == .ask {
        asks.append((zone.plan.name, release.key))
      }
    }
    touch(zone.plan.name)
  }

  private func noteSlow(_ answer: LiveAnswer, in zone: WatchedZone, at now: Duration) {
    guard answer.took > LiveZone.slow, let live = zone.live else { return }
    if live.slowest.map({ $0.took < answer.took }) ?? true {
      zone.live?.slowest = (answer.took, answer.question.location)
    }
    guard live.nextSlowNaming <= now else { return }
    zone.live?.nextSlowNaming = now + LiveZone.nameInterval
    log.warning(
      "its configuration took \(answer.took.formatted), and should take less than \(LiveZone.slow.formatted)",
      zone: zone.plan.name, id: answer.question.id, location: answer.question.location)
  }
}

extension PayloadKind {
  /// Whether a configuration is asked about such a payload while it arrives.
  var isLive: Bool {
    switch self {
    case .ordinary, .temporary: true
    case .junk, .marker, .special: false
    }
  }
}
