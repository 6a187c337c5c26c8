import DropEngine
import DropSystem

/// Has the program's configurations asked: about payloads that have changed ten times a second, about complete ones
/// before they go on.
///
/// The configurator of each zone asks, on its own thread; this only keeps track.
final class LiveQuestions {
  let zones: ZoneRegistry
  private let tree: DirectoryTree
  private let inspector: PayloadInspector
  private let typer: ContentTyper
  private let log: any FlowLog
  /// Zones that have a configurator: they are part of every turn.
  private var liveZones: [WatchedZone] = []
  private var lastConfigurator = 0

  init(
    zones: ZoneRegistry, tree: DirectoryTree, inspector: PayloadInspector, typer: ContentTyper, log: any FlowLog
  ) {
    self.zones = zones
    self.tree = tree
    self.inspector = inspector
    self.typer = typer
    self.log = log
  }

  /// Gives a zone a configurator, if the program wants to be asked or told about it.
  ///
  /// - Parameter answered: Called on the configurator's thread with its number.
  func open(_ zone: WatchedZone, answered: @escaping @Sendable (Answers) -> Void) {
    let plan = zone.plan
    guard plan.configuration != nil || plan.watcher != nil else { return }
    lastConfigurator += 1
    let (number, name) = (lastConfigurator, plan.name)
    let configurator = LiveConfigurator(
      box: plan.settings.box, operation: plan.settings.delivery.operation, configuration: plan.configuration,
      typer: typer, time: zones.time
    ) { answers, isRelease in
      answered(Answers(zone: name, configurator: number, answers: answers, isRelease: isRelease))
    }
    zone.live = LiveZone(number: number, configurator: configurator, asksConfiguration: plan.configuration != nil)
    liveZones.append(zone)
    liveZones.sort { $0.name < $1.name }
  }

  /// Lets go of a zone's configurator; payloads that it was asked about are found again by a scan, or stay where they are.
  func close(_ zone: WatchedZone) {
    guard let live = zone.live else { return }
    live.configurator.close()
    for caller in live.retries.values { caller.resume(returning: .late) }
    for release in live.waiting + live.asked.values { zone.sessions.giveBack(release.payload.id) }
    zone.live = nil
    liveZones.removeAll { $0 === zone }
  }

  /// Includes the zones that have a configurator in the end of the turn.
  func attend() {
    for zone in liveZones { zones.attend(to: zone) }
  }

  // MARK: - What has changed

  /// Asks about payloads that have changed.
  func askAboutChanges(at now: Duration) {
    for zone in liveZones {
      guard let live = zone.live, !live.changed.isEmpty, live.nextRound <= now else { continue }
      let keys = live.changed
      zone.live?.changed = []
      zone.live?.nextRound = now + LiveZone.interval
      let staged = keys.compactMap { key in zone.staging[key].map { (key: key, payload: $0) } }
      let questions = staged.compactMap { key, payload in
        payload.name.isLive ? question(key, payload, tree.location(of: key), live) : nil
      }
      guard let last = staged.max(by: { $0.payload.lastChange < $1.payload.lastChange }) else { continue }
      let view = zone.view(at: tree.location(of: last.key), first: questions, in: tree)
      if !questions.isEmpty {
        live.configurator.ask(LiveRound(root: zone.root.path, view: view, questions: questions))
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

  // MARK: - What is complete

  /// Sends releases on their way, by way of the configurator if the zone has a configuration.
  func send(_ releases: [(zone: WatchedZone, batch: [Release])], at now: Duration) {
    for (zone, batch) in releases {
      guard zone.live?.asksConfiguration == true else {
        zone.flow.submit(batch)
        continue
      }
      let ready = batch.compactMap { ask($0, in: zone, at: now) }
      if !ready.isEmpty { zone.flow.submit(ready) }
    }
    for zone in liveZones where zone.live?.waiting.isEmpty == false { askAboutReleases(in: zone) }
  }

  /// Returns the release if it may go on at once.
  private func ask(_ release: Release, in zone: WatchedZone, at now: Duration) -> Release? {
    let id = release.payload.id
    if release.payload.isForced { return release }
    if let (answer, time) = zone.live?.late.removeValue(forKey: id), time + LiveZone.freshness > now,
      release.payload.status.isUnchanged(since: answer.question.status)
    {
      return bind(release, to: answer, in: zone)
    }
    if zone.live?.deadline == nil { zone.live?.lastAnswer = now }
    if zone.live?.unanswered.contains(id) == true {
      zone.live?.asked[id] = release
    } else {
      zone.live?.waiting.append(release)
    }
    return nil
  }

  /// Gives the configurator what is complete, together and in rounds: the next is made while one is answered.
  private func askAboutReleases(in zone: WatchedZone) {
    while let live = zone.live, !live.waiting.isEmpty, live.unanswered.count <= ClaimQueue.batchLimit {
      let batch = Array(live.waiting.prefix(ClaimQueue.batchLimit))
      zone.live?.waiting.removeFirst(batch.count)
      var questions: [LiveQuestion] = []
      for release in batch {
        var question = question(release.key, release.payload, release.location, live)
        // What was read while somebody might still write proves nothing.
        question.wantsType = release.payload.status.kind == .regular
        questions.append(question)
        zone.live?.asked[release.payload.id] = release
        zone.live?.unanswered.insert(release.payload.id)
      }
      guard let last = batch.last else { return }
      let view = zone.view(at: last.location, released: batch, in: tree)
      live.configurator.askAtRelease(LiveRound(root: zone.root.path, view: view, questions: questions))
    }
  }

  // MARK: - Answers

  /// What a configurator has answered.
  struct Answers: Sendable {
    let zone: String
    let configurator: Int
    let answers: [LiveAnswer]
    let isRelease: Bool
  }

  func take(_ answers: Answers, at now: Duration) {
    guard let zone = zones[answers.zone], zone.live?.number == answers.configurator else { return }
    zone.live?.lastAnswer = now
    let ready = answers.answers.compactMap { take($0, isRelease: answers.isRelease, in: zone, at: now) }
    if !ready.isEmpty { zone.flow.submit(ready) }
    zones.touch(zone)
  }

  /// Returns the payload if it goes on with this answer.
  private func take(_ answer: LiveAnswer, isRelease: Bool, in zone: WatchedZone, at now: Duration) -> Release? {
    let (id, key) = (answer.question.id, answer.question.key)
    logSlow(answer, in: zone, at: now)
    let isStaged = zone.staging[key].map { $0.id == id } ?? false
    if isStaged, let typed = answer.typed { zone.live?.types[id] = (typed, answer.question.status.size) }
    if isStaged { zone.live?.answers[id] = answer }
    guard isRelease else { return nil }
    if let caller = zone.live?.retries.removeValue(forKey: id) {
      caller.resume(returning: answer.binding.map { .bound($0) } ?? .nobody)
      return nil
    }
    zone.live?.unanswered.remove(id)
    if let release = zone.live?.asked.removeValue(forKey: id) {
      if release.payload.status.isUnchanged(since: answer.question.status) {
        return bind(release, to: answer, in: zone)
      }
      zone.live?.waiting.append(release)
    } else if isStaged {
      zone.live?.late[id] = (answer, now)
      inspector.follow(zone.staging.askNow(key, at: now), key, in: zone)
    }
    return nil
  }

  private func bind(_ release: Release, to answer: LiveAnswer, in zone: WatchedZone) -> Release? {
    var release = release
    release.typed = answer.typed
    switch answer.binding {
    case .take(let operation, let destination)?:
      release.operation = operation
      release.destination = destination
    case .refuse(let reason)?: release.refusal = reason
    case .stay(let reason)?:
      giveBack([release], reason, in: zone, at: zones.time.now)
      return nil
    case nil: break
    }
    return release
  }

  /// Gives back what was not answered in time: no payload waits for a configuration that does not return.
  func giveUpAsking(in zone: WatchedZone, at now: Duration) {
    guard let live = zone.live, let deadline = live.deadline, deadline <= now else { return }
    let releases = live.waiting + live.asked.values.sorted { $0.payload.id < $1.payload.id }
    zone.live?.waiting = []
    zone.live?.asked = [:]
    let message = "its configuration has not answered within \(LiveZone.patience.formatted)"
    giveBack(releases, message, in: zone, at: now)
    guard live.nextLateNaming <= now else { return }
    zone.live?.nextLateNaming = now + LiveZone.nameInterval
    log.warning(
      "\(message): \(releases.count == 1 ? "it stays" : "\(releases.count) stay") in the zone and "
        + "\(releases.count == 1 ? "is" : "are") asked about again", zone: zone.name, id: nil,
      location: releases.first?.location)
  }

  private func giveBack(_ releases: [Release], _ detail: String, in zone: WatchedZone, at now: Duration) {
    for release in releases {
      zone.sessions.giveBack(release.payload.id)
      zone.load.askedAgain.remove(release.payload.id)
      inspector.follow(
        zone.staging.putBack(release.key, .notYet, detail, endsAtChange: true, at: now), release.key, in: zone)
    }
    zones.touch(zone)
  }

  private func logSlow(_ answer: LiveAnswer, in zone: WatchedZone, at now: Duration) {
    guard answer.took > LiveZone.slow, let live = zone.live else { return }
    if live.slowest.map({ $0.took < answer.took }) ?? true {
      zone.live?.slowest = (answer.took, answer.question.location)
    }
    guard live.nextSlowNaming <= now else { return }
    zone.live?.nextSlowNaming = now + LiveZone.nameInterval
    log.warning(
      "its configuration took \(answer.took.formatted), and should take less than \(LiveZone.slow.formatted)",
      zone: zone.name, id: answer.question.id, location: answer.question.location)
  }
}

extension PayloadKind {
  /// Whether a configuration is asked about such a payload while it arrives.
  fileprivate var isLive: Bool {
    switch self {
    case .ordinary, .temporary: true
    case .junk, .marker, .special: false
    }
  }
}
