import DropEngine
import DropSystem

/// Calls to places: each begins on the event loop's thread, waits on a thread of its place, and ends on the event loop's
/// thread, where its answer is taken.
final class FileSystemCalls {
  /// How often places are asked whether they answer, while something depends on that.
  private static let probeInterval = Duration.seconds(10)
  /// How long payloads may be in hand before the places are asked that they wait for.
  private static let probeDelay = Duration.seconds(1)

  private let scanner: DirectoryScanner
  private let roots: ZoneRoots
  /// Every zone depends on it.
  private let ledgerDirectory: String

  private var zones: ZoneRegistry { scanner.zones }
  private var tree: DirectoryTree { scanner.tree }
  private var places: FileSystemQueues { scanner.places }
  private var inspector: PayloadInspector { scanner.inspector }

  init(scanner: DirectoryScanner, roots: ZoneRoots, ledger: String) {
    self.scanner = scanner
    self.roots = roots
    ledgerDirectory = RawPath(ledger).parent.description
  }

  // MARK: - File systems

  /// Begins a call to each place that has something to answer and answers nothing else.
  func start(for area: isolated StagingArea, at now: Duration) {
    while let place = places.nextReady() {
      if !startCall(to: place, for: area, at: now), place.isReady { places.list(place) }
    }
  }

  private func startCall(to place: FileSystemQueue, for area: isolated StagingArea, at now: Duration) -> Bool {
    defer { place.prefersScan.toggle() }
    return place.prefersScan
      ? startScan(at: place, for: area, now) || startInspection(at: place, for: area, now)
      : startInspection(at: place, for: area, now) || startScan(at: place, for: area, now)
  }

  private func startInspection(at place: FileSystemQueue, for area: isolated StagingArea, _ now: Duration) -> Bool {
    guard let (job, subject) = inspector.nextJob(at: place) else { return false }
    call(place, about: subject, job.firstPath, for: area, at: now) { _ in
      job.run()
    } then: { area, findings, subject in
      area.scanner.take(findings, outdated: subject.outdated, at: area.time.now)
    }
    return true
  }

  private func startScan(at place: FileSystemQueue, for area: isolated StagingArea, _ now: Duration) -> Bool {
    guard let (job, subject) = scanner.nextJob(at: place) else { return false }
    call(place, about: subject, job.firstPath, for: area, at: now) { _ in
      job.run()
    } then: { area, results, subject in
      area.scanner.take(results, outdated: subject.outdated, at: area.time.now)
    }
    return true
  }

  /// Calls `body` on a thread of a place, and then `then` with its answer, unless another call has taken its place.
  ///
  /// - Parameter path: What is asked, for messages.
  private func call<Answer: Sendable>(
    _ place: FileSystemQueue, about subject: FileSystemQueue.Subject = FileSystemQueue.Subject(), _ path: RawPath?,
    for area: isolated StagingArea, at now: Duration,
    _ body: @escaping @Sendable (FileSystemCall) -> Answer,
    then: @escaping @Sendable (isolated StagingArea, Answer, FileSystemQueue.Subject) -> Void
  ) {
    let (call, number) = (FileSystemCall(path ?? "", at: now), place.number)
    places.begin(call, to: place, about: subject) { [weak area] in
      let answer = body(call)
      area?.perform { $0.calls.end(call, number, answer, for: $0, then: then) }
    }
  }

  private func end<Answer: Sendable>(
    _ call: FileSystemCall, _ number: Int, _ answer: Answer, for area: isolated StagingArea,
    then: (isolated StagingArea, Answer, FileSystemQueue.Subject) -> Void
  ) {
    guard let place = places[number] else { return }
    let wasSilent = place.isSilent
    guard let subject = places.end(call, to: place) else { return }
    // Each zone that depends on the place can be used again.
    if wasSilent { for zone in zones.all { zones.attend(to: zone) } }
    let now = zones.time.now
    // While this answer is taken, the place works on the next one.
    for (work, names, _) in subject.works where names > 0 { work.requeue() }
    start(for: area, at: now)
    then(area, answer, subject)
    for (work, names, scanNames) in subject.works {
      work.finish(names, scanNames: scanNames)
      work.requeue()
      places.list(work.place)
      if !work.isClosed { zones.attend(to: work.zone) }
    }
    area.turn(at: now)
  }

  // MARK: - Roots

  /// Finds out where a zone's path leads, unless that is being found out.
  ///
  /// - Parameter isAnother: Whether another check begins although one hangs, because the path may lead elsewhere by now.
  func checkRoot(of zone: WatchedZone, isAnother: Bool = false, for area: isolated StagingArea) {
    guard zone.isOpen, let check = roots.nextCheck(of: zone, isAnother: isAnother) else { return }
    let name = zone.name
    call(zone.root.place, RawPath(check.declared), for: area, at: zones.time.now) {
      check.run($0)
    } then: { area, result, _ in
      guard let zone = area.zones[name], zone.settings.path == check.declared else { return }
      area.roots.take(result, zone, at: area.time.now)
      area.zones.attend(to: zone)
    }
  }

  // MARK: - Silence

  func checkSilence(at now: Duration) {
    guard places.checkSilence(at: now) else { return }
    for zone in zones.all {
      roots.updateAvailability(of: zone, at: now)
      zones.attend(to: zone)
    }
  }

  /// Sets when a zone's places are asked whether they answer: while payloads are in hand, and where changes raise no
  /// events and would not show.
  func scheduleProbe(of zone: WatchedZone, at now: Duration) {
    if zone.hasPayloadsInHand || !zone.isOpen {
      let first = now + Self.probeDelay
      zone.schedule.nextProbe = zone.schedule.nextProbe.map { max($0, now) } ?? first
    } else if zone.coverage.dependsOnServer || !zone.coverage.mounts.isEmpty
      || zone.root.directory.flatMap({ tree[$0]?.kind.raisesEvents }) == false
    {
      zone.schedule.nextProbe = zone.schedule.nextProbe ?? now + Self.probeInterval
    } else {
      zone.schedule.nextProbe = nil
    }
  }

  /// Asks a zone's places whether they answer, if it is time for that.
  func probe(_ zone: WatchedZone, for area: isolated StagingArea, at now: Duration) {
    guard let next = zone.schedule.nextProbe, next <= now else { return }
    zone.schedule.nextProbe = now + Self.probeInterval
    for ground in tree.grounds(of: zone) where !ground.node.kind.raisesEvents {
      inspector.inspect(PayloadKey(directory: ground.id, name: "."), [], .probe)
    }
    guard zone.hasPayloadsInHand || !zone.isOpen || zone.coverage.dependsOnServer else { return }
    if zone.coverage.probed.isEmpty { zone.coverage.probed = probedPlaces(of: zone) }
    for (path, place) in zone.coverage.probed where place.call == nil {
      call(place, RawPath(path), for: area, at: now) { _ in
        _ = try? Directory(path).status(of: ".", fresh: true)
      } then: { _, _, _ in
      }
    }
  }

  /// What a zone's payloads wait for on their way, other than the zone itself once that is watched.
  private func probedPlaces(of zone: WatchedZone) -> [(path: String, place: FileSystemQueue)] {
    let settings = zone.settings
    var paths = [settings.box, settings.rejects, settings.hold, ledgerDirectory].compactMap { $0 }
    if !zone.isOpen {
      let mounts = places.mountPoints.compactMap(\.string).filter { $0.hasPrefix(settings.path + "/") }
      paths = [settings.path] + mounts + paths
    }
    return paths.map { ($0, places.directory($0)) }
  }
}

extension WatchedZone {
  /// Whether payloads are on their way from the zone to their receipts.
  fileprivate var hasPayloadsInHand: Bool { load.inHand > 0 || staging.inFlightCount > 0 }
}
