package import DropEngine
package import DropSystem

/// Every zone's watched tree and staged payloads, on the event loop's thread.
///
/// Events, deadlines and scans say which names to inspect, inspections say what is there, and each zone's `Staging`
/// decides. This actor puts the parts together and runs the turn: what comes in goes to the part that it concerns, and
/// `turn` carries out what follows.
package actor StagingArea {
  nonisolated let loop: EventLoop
  let time: TimeSource
  let notes: LedgerNotes
  let scanner: DirectoryScanner
  let roots: ZoneRoots
  let calls: FileSystemCalls
  let events: EventReader
  let withdrawals: Withdrawals
  let live: LiveQuestions
  let publisher: StatePublisher
  let composer: StatusComposer
  var waiters = Waiters()
  /// Whether another turn has been asked for.
  var isTurnRequested = false

  var zones: ZoneRegistry { scanner.zones }
  var tree: DirectoryTree { scanner.tree }
  var places: FileSystemQueues { scanner.places }
  var inspector: PayloadInspector { scanner.inspector }
  var originals: CopiedOriginalIndex { scanner.originals }
  var log: any FlowLog { scanner.log }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  /// - Parameter failed: Called once the ledger cannot be used any more.
  package init(
    loop: EventLoop, ledger: Ledger, mountPoints: MountPoints, typer: ContentTyper, log: any FlowLog,
    time: TimeSource = .system, failed: @escaping @Sendable (LedgerError) -> Void
  ) throws(Errno) {
    self.time = time
    self.loop = loop
    notes = LedgerNotes(ledger, log: log, time: time, failed: failed)
    let zones = ZoneRegistry(time: time)
    let tree = DirectoryTree()
    let places = FileSystemQueues()
    let kernel = try KernelWatch(loop: loop)
    let inspector = PayloadInspector(zones: zones, tree: tree, places: places, log: log)
    let originals = CopiedOriginalIndex(zones: zones, tree: tree, inspector: inspector, notes: notes)
    scanner = DirectoryScanner(
      zones: zones, tree: tree, places: places, inspector: inspector, originals: originals, kernel: kernel, log: log)
    roots = ZoneRoots(
      zones: zones, tree: tree, places: places, scanner: scanner, mountPoints: mountPoints, log: log)
    calls = FileSystemCalls(scanner: scanner, roots: roots, ledger: ledger.path)
    withdrawals = Withdrawals(scanner: scanner, notes: notes)
    events = EventReader(
      zones: zones, tree: tree, kernel: kernel, inspector: inspector, scanner: scanner, log: log)
    live = LiveQuestions(zones: zones, tree: tree, inspector: inspector, typer: typer, log: log)
    composer = StatusComposer(tree: tree, typer: typer)
    publisher = StatePublisher(zones: zones, composer: composer)
  }

  /// Begins to listen to the kernel.
  package func open() throws(Errno) {
    loop.onDeadline { [weak self] in self?.assumeIsolated { $0.deadlineReached() } }
    try scanner.kernel.open { [weak self] in self?.assumeIsolated { $0.eventsArrived() } }
  }

  /// Calls `body` on the event loop's thread, after everything that was enqueued before; returns at once.
  nonisolated func perform(_ body: @escaping @Sendable (isolated StagingArea) -> Void) {
    loop.perform { self.assumeIsolated { body($0) } }
  }
}

// MARK: - Zones

extension StagingArea {
  /// Adds a zone, which is not watched before ``begin(_:history:dependsOnServer:)``.
  package func add(_ plan: ZonePlan, _ flow: ZoneFlow) {
    let zone = WatchedZone(plan, flow, at: places.make())
    zones.insert(zone)
    turn(at: time.now)
  }

  /// Watches and scans a zone in the background, once its flow has recovered what an earlier process left.
  ///
  /// - Parameter dependsOnServer: Whether the zone's places may stop answering, so that they are asked regularly.
  package func begin(_ flow: ZoneFlow, history: ZoneHistory, dependsOnServer: Bool = false) {
    guard let zone = zones[flow.name], zone.flow === flow, !zone.isOpen else { return }
    zone.begin(with: history)
    zone.coverage.dependsOnServer = dependsOnServer
    zones.touch(zone)
    open(zone)
  }

  /// Shows a zone as unavailable that cannot be opened.
  package func refuse(_ flow: ZoneFlow, _ reason: String) {
    guard let zone = zones[flow.name], zone.flow === flow else { return }
    zone.root.failure = reason
    zones.touch(zone)
    turn(at: time.now)
  }

  /// Gives a zone other settings; what is staged stays.
  package func replace(_ plan: ZonePlan, _ flow: ZoneFlow, dependsOnServer: Bool = false) {
    guard let zone = zones[plan.name] else { return }
    let now = time.now
    live.close(zone)
    // The old flow has not taken these and takes nothing more.
    for id in zone.staging.putBackReleased(at: now) { zone.sessions.giveBack(id) }
    scanner.uproot(zone)
    zone.reconfigure(plan, flow, at: now)
    zone.coverage.dependsOnServer = dependsOnServer
    zones.touch(zone)
    open(zone)
  }

  private func open(_ zone: WatchedZone) {
    live.open(zone) { [weak self] answers in Task { await self?.answered(answers) } }
    calls.checkRoot(of: zone, for: self)
    turn(at: time.now)
  }

  private func answered(_ answers: LiveQuestions.Answers) {
    let now = time.now
    live.take(answers, at: now)
    turn(at: now)
  }

  /// Inspects a zone that a reload has left as it was: its path may lead elsewhere.
  package func reinspect(at name: String) {
    guard let zone = zones[name] else { return }
    zone.root.forgetResolution()
    zone.coverage.isScanWanted = true
    calls.checkRoot(of: zone, isAnother: true, for: self)
    turn(at: time.now)
  }

  package func remove(_ name: String) {
    guard let zone = zones[name] else { return }
    scanner.uproot(zone)
    live.close(zone)
    zone.sessions.close()
    zone.reportSessions(in: tree)
    for work in zone.coverage.works { work.close() }
    zones.remove(zone)
    publisher.remove(zone)
    waiters.answerQuiet(where: isQuiet)
  }

  package func mountsChanged() {
    let now = time.now
    places.readMountPoints()
    for zone in zones.all {
      roots.updateMounts(of: zone)
      calls.checkRoot(of: zone, isAnother: true, for: self)
      scanner.scan(zone)
      let flow = zone.flow
      Task(executorPreference: flow.pool) { await flow.placesMayHaveChanged() }
    }
    turn(at: now)
  }

  /// Keeps scans out of a directory.
  package func exclude(_ identity: FileIdentity) {
    scanner.excluded.insert(identity)
  }
}
