package import DropEngine
package import DropSystem

/// Every zone's watched tree and staged payloads, on the event loop's thread.
///
/// Events, deadlines and scans say which names to inspect, inspections say what is there, and each zone's `Staging`
/// decides. This actor puts the parts together and runs the turn: what comes in goes to the part that it concerns, and
/// `turn` carries out what follows.
package actor StagingArea {
  nonisolated let loop: EventLoop
  let notes: LedgerNotes
  let scanner: DirectoryScanner
  let roots: ZoneRoots
  let events: EventReader
  let live: LiveQuestions
  let publisher: StatePublisher
  let composer: StatusComposer
  var waiters = Waiters()
  /// Whether scans go on in a task.
  var isScanning = false
  /// Whether another turn has been asked for.
  var isTurnRequested = false

  var zones: ZoneRegistry { scanner.zones }
  var tree: DirectoryTree { scanner.tree }
  var inspector: PayloadInspector { scanner.inspector }
  var originals: CopiedOriginalIndex { scanner.originals }
  var log: any FlowLog { scanner.log }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  /// - Parameter failed: Called once the ledger cannot be used any more.
  package init(
    loop: EventLoop, ledger: Ledger, mountPoints: MountPoints, typer: ContentTyper, log: any FlowLog,
    failed: @escaping @Sendable (LedgerError) -> Void
  ) throws(Errno) {
    self.loop = loop
    notes = LedgerNotes(ledger, log: log, failed: failed)
    let zones = ZoneRegistry()
    let tree = DirectoryTree()
    let kernel = try KernelWatch(loop: loop)
    let inspector = PayloadInspector(zones: zones, tree: tree, log: log)
    let originals = CopiedOriginalIndex(zones: zones, tree: tree, inspector: inspector, notes: notes)
    scanner = DirectoryScanner(
      zones: zones, tree: tree, inspector: inspector, originals: originals, kernel: kernel, log: log)
    roots = ZoneRoots(zones: zones, tree: tree, scanner: scanner, mountPoints: mountPoints, log: log)
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
  /// Adds a zone; its tree is watched and scanned in the background.
  package func add(_ plan: ZonePlan, _ flow: ZoneFlow, history: ZoneHistory) {
    let zone = WatchedZone(plan, flow, history: history)
    zones.insert(zone)
    open(zone)
  }

  /// Gives a zone other settings; what is staged stays.
  package func replace(_ plan: ZonePlan, _ flow: ZoneFlow) {
    guard let zone = zones[plan.name] else { return }
    let now = monotonicNow()
    live.close(zone)
    // The old flow has not taken these and takes nothing more.
    for id in zone.staging.putBackReleased(at: now) { zone.sessions.giveBack(id) }
    scanner.uproot(zone)
    zone.reconfigure(plan, flow, at: now)
    zones.touch(zone)
    open(zone)
  }

  private func open(_ zone: WatchedZone) {
    live.open(zone) { [weak self] answers in Task { await self?.answered(answers) } }
    roots.check(zone, at: monotonicNow())
    turn(at: monotonicNow())
  }

  private func answered(_ answers: LiveQuestions.Answers) {
    let now = monotonicNow()
    live.take(answers, at: now)
    turn(at: now)
  }

  /// Inspects a zone that a reload has left as it was: its path may lead elsewhere.
  package func reinspect(at name: String) {
    guard let zone = zones[name] else { return }
    zone.root.forgetResolution(declared: zone.settings.path)
    roots.check(zone, at: monotonicNow())
    turn(at: monotonicNow())
  }

  package func remove(_ name: String) {
    guard let zone = zones[name] else { return }
    scanner.uproot(zone)
    live.close(zone)
    zone.sessions.close()
    zone.reportSessions(in: tree)
    zones.remove(zone)
    publisher.remove(zone)
    waiters.answerQuiet(where: isQuiet)
  }

  package func mountsChanged() {
    let now = monotonicNow()
    for zone in zones.all {
      roots.check(zone, at: now)
      scanner.scan(zone)
      let flow = zone.flow
      Task { await flow.placesMayHaveChanged() }
    }
    turn(at: now)
  }

  /// Keeps scans out of a directory.
  package func exclude(_ identity: FileIdentity) {
    scanner.excluded.insert(identity)
  }
}
