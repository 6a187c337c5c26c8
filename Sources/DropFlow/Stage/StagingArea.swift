package import DropEngine
package import DropSystem
internal import Synchronization

/// Every zone's watched tree and staged payloads, on the event loop's thread.
///
/// Events only wake: each name they are about is looked at once, however many there were, and the look decides. The
/// same scan serves start-up, new directories, lost events and places where events do not tell all.
package actor StagingArea {
  /// How many entries a scan looks at before others get their turn.
  static let scanSlice = 1024
  /// How many of a zone's payloads may be on their way to the claim; the others wait where they are, and cost less.
  static let inFlightLimit = 2048
  static let deepest = 64
  static let longestLocation = 4095

  nonisolated let loop: EventLoop
  /// Nil while this user may have no inotify instance more; then everything is scanned.
  var watcher: DirectoryWatcher?
  let typer: ContentTyper
  let log: any FlowLog
  let ledger: Ledger
  let mountPoints: MountPoints
  var zones: [String: WatchedZone] = [:]
  var order: [String] = []
  /// Zones in which something happened, for the end of the turn: with a thousand others it costs no more.
  var touched: Set<String> = []
  /// Zones that have a configurator: they are looked at in every turn.
  var liveZones: Set<String> = []
  /// When each zone is to be looked at, whatever happens.
  var zoneDeadlines = DeadlineHeap<String>()
  var tree = DirectoryTree()
  var excluded: Set<FileIdentity> = []
  var overflows = 0
  /// Directories to be scanned, in order, each once.
  var scanQueue: [Int32] = []
  var queued: [Int32: Bool] = [:]
  /// Names that were looked at since others last went on.
  var scannedInSlice = 0
  /// Payloads whose time has come, to be looked at.
  var dueKeys: [(zone: String, key: PayloadKey)] = []
  var isScanning = false
  var scanGeneration: UInt64 = 0
  var scanWaiters: [CheckedContinuation<Void, Never>] = []
  /// Directories that left one name and may turn up under another.
  var moving: [UInt32: (id: Int32, zone: String, location: RawPath, since: Duration)] = [:]
  /// Files that left names of a kind that renames its failures, by the cookie of the rename.
  var movedFiles: [UInt32: (zone: String, since: Duration)] = [:]
  /// Payloads that are complete but for a writer, to be asked at the end of the turn.
  var asks: [(zone: String, key: PayloadKey)] = []
  /// Whether what is left of the events is to be read next.
  var isReadingOn = false
  /// What is released this turn.
  var releases: [String: [Release]] = [:]
  /// Released files that are still open for their claim; the program may want most of its descriptors for itself.
  let openReleases = OpenFileBudget(limit: min(1024, Machine.fileLimit / 8))
  var subscribers: [Int: Subscriber] = [:]
  var nextSubscriber = 0
  var nextConfigurator = 0
  var waiters: [Int: Waiter] = [:]
  /// Whether the daemon stops, and nobody waits for anything any more.
  var isEnding = false
  var nextPlaceCheck: Duration?
  var isFailed: (@Sendable (LedgerError) -> Void)?
  var receiptWaiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  /// Zones whose root is to be looked at again.
  var rootChecks: Set<String> = []
  /// Files that were taken and are to be compared with their copies, in order.
  var comparisons = Queue<Comparison>()
  var isComparing = false
  /// Directories where events do not tell all, and when each is scanned next.
  var polled: Set<Int32> = []
  var pollDeadlines = DeadlineHeap<Int32>()
  /// What waits for room in the ledger.
  var overdueWrites: [LedgerWrite] = []
  var isOverdueLimitNamed = false

  struct Subscriber {
    /// Empty for all.
    var zones: Set<String>
    var continuation: AsyncStream<ZoneStatus>.Continuation
  }

  struct Waiter {
    var zones: Set<String>
    var continuation: CheckedContinuation<Bool, Never>
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe loop.asUnownedSerialExecutor()
  }

  package init(
    loop: EventLoop, ledger: Ledger, mountPoints: MountPoints, typer: ContentTyper, log: any FlowLog
  ) throws(Errno) {
    self.loop = loop
    self.ledger = ledger
    self.mountPoints = mountPoints
    self.typer = typer
    self.log = log
    do throws(Errno) {
      watcher = try DirectoryWatcher()
    } catch  where error == .tooManyFiles {
      watcher = nil
    }
  }

  /// Begins to listen to the kernel.
  package func open(onFailure: @escaping @Sendable (LedgerError) -> Void) throws(Errno) {
    isFailed = onFailure
    loop.onDeadline { [weak self] in self?.assumeIsolated { $0.deadlineReached() } }
    try listen()
  }

  private func listen() throws(Errno) {
    guard let descriptor = watcher?.descriptor else { return }
    try loop.watch(descriptor) { [weak self] _ in self?.assumeIsolated { $0.eventsArrived() } }
  }

  /// Asks for an inotify instance again, where there was none to be had.
  func tryToListen() throws(Errno) {
    guard watcher == nil else { return }
    watcher = try DirectoryWatcher()
    try listen()
  }

  package func mountsChanged() async {
    let now = monotonicNow()
    for name in order {
      checkRoot(of: name, at: now)
      if let root = zones[name]?.root { enqueueScan(root, deep: true) }
    }
    for name in order { await zones[name]?.flow.placesMayHaveChanged() }
    turn(at: now)
  }

  // MARK: - Zones

  /// Adds a zone; its tree is watched and scanned in the background.
  package func add(
    _ plan: ZonePlan, _ flow: ZoneFlow, isPaused: Bool, earlier: [AttemptCount], taken: [CopiedOriginal],
    totals: (accepted: Int, rejected: Int), last: Receipt?, isAfterCrash: Bool
  ) {
    let settings = plan.settings
    let lists = plan.lists
    let zone = WatchedZone(
      plan: plan, flow: flow,
      staging: Staging(rules: settings.staging, takesEmpty: settings.accept.minSize == 0) {
        lists.ties(ofTemporary: $0)
      },
      nextFullScan: monotonicNow() + settings.staging.rescan)
    zone.earlier = Dictionary(earlier.map { ($0.inode, $0) }) { first, _ in first }
    zone.taken = CopiedOriginals(taken)
    zone.accepted = totals.accepted
    zone.rejected = totals.rejected
    zone.last = last
    zone.isAfterCrash = isAfterCrash
    zone.isPaused = isPaused
    zone.staging.isPaused = isPaused
    openConfigurator(of: zone)
    zones[settings.name] = zone
    touch(settings.name)
    order.append(settings.name)
    order.sort()
    checkRoot(of: settings.name, at: monotonicNow())
    turn(at: monotonicNow())
  }

  /// The zone's new settings; what is staged stays.
  package func replace(_ plan: ZonePlan, _ flow: ZoneFlow) {
    guard let old = zones[plan.name] else { return }
    let lists = plan.lists
    closeConfigurator(of: old)
    // The flow that was told of them has not taken them, and takes nothing more.
    for id in old.staging.putBackReleased(at: monotonicNow()) { old.sessions.giveBack(id) }
    forget(plan.name)
    let zone = WatchedZone(
      plan: plan, flow: flow,
      staging: Staging(rules: plan.settings.staging, takesEmpty: plan.settings.accept.minSize == 0) {
        lists.ties(ofTemporary: $0)
      },
      nextFullScan: monotonicNow() + plan.settings.staging.rescan)
    zone.origins = old.origins
    zone.earlier = old.earlier
    zone.taken = old.taken
    zone.accepted = old.accepted
    zone.rejected = old.rejected
    zone.last = old.last
    zone.hands = old.hands
    zone.isPaused = old.isPaused
    zone.isAfterCrash = old.isAfterCrash
    zone.staging.isPaused = old.isPaused
    zone.publishedTargeted = old.publishedTargeted
    zone.sessions = old.sessions
    zone.sessions.stalled = plan.settings.staging.stalled
    openConfigurator(of: zone)
    zones[plan.name] = zone
    touch(plan.name)
    checkRoot(of: plan.name, at: monotonicNow())
    turn(at: monotonicNow())
  }

  /// A zone that is as it was, after a reload: its path may lead elsewhere.
  package func reinspect(at name: String) {
    zones[name]?.forgetResolvedPath()
    checkRoot(of: name, at: monotonicNow())
    turn(at: monotonicNow())
  }

  package func remove(_ name: String) {
    forget(name)
    if let zone = zones[name] {
      closeConfigurator(of: zone)
      zone.sessions.close()
      tellSessions()
    }
    zones[name] = nil
    order.removeAll { $0 == name }
    for (id, subscriber) in subscribers where subscriber.zones.contains(name) {
      subscribers[id]?.zones.remove(name)
      // Without a name it would be one of all zones.
      guard subscriber.zones.count == 1 else { continue }
      subscribers[id] = nil
      subscriber.continuation.finish()
    }
    answerWaiters()
  }

  /// Takes a zone's tree down. Nothing was withdrawn: what turns up again goes on as what it was.
  func forget(_ name: String) {
    guard let zone = zones[name], let root = zone.root else { return }
    let now = monotonicNow()
    for (identity, origin) in zone.staging.origins { zone.origins[identity] = (origin, now) }
    zone.root = nil
    let gone = zone.gone
    drop(root)
    zone.gone = gone
    zone.leaving = zone.leaving.mapValues { _ in nil }
  }

  /// Takes a directory and what lies below it out of tree and staging; `location` is where it was, if it is on its way.
  func drop(_ id: Int32, at location: RawPath? = nil) {
    for (id, node, location) in tree.remove(id, at: location) {
      polled.remove(id)
      if let watch = node.watch { watcher?.unwatch(watch) }
      zones[node.zone]?.unwatched.remove(id)
      if zones[node.zone]?.unlisted.removeValue(forKey: id) != nil { touch(node.zone) }
      guard let zone = zones[node.zone] else { continue }
      for name in zone.staging.names(in: id) {
        lose(PayloadKey(directory: id, name: name), in: node.zone, location: location.appending(name))
      }
      for key in zone.staging.inFlight(in: id) { zone.leaving[key] = location.appending(key.name) }
    }
  }

  package func exclude(_ identity: FileIdentity) {
    excluded.insert(identity)
  }

  /// Ends once every scan that was asked for so far is done, or the daemon stops.
  package func scanned() async {
    guard !isEnding, isScanning || !scanQueue.isEmpty else { return }
    await withCheckedContinuation { scanWaiters.append($0) }
  }

  package var watchCount: Int { tree.watchCount }
  package var overflowCount: Int { overflows }
}
