import DropControl
import DropEngine
import DropFlow
import DropSystem
import Synchronization

/// The zones of this process, from the first scan until they are stopped.
actor RunningZones {
  private let statePath: String
  private let declare: @Sendable () async throws -> [DropZone]
  private let log = DaemonLog()
  private let suspects = CrashSuspects()
  private let pool = BlockingPool(name: "work", limit: 64)
  /// For the program's functions, which may block for as long as they like.
  private let actions = BlockingPool(name: "actions", limit: 512)
  let ledger: Ledger
  let typer: ContentTyper
  let area: StagingArea
  private let loop: EventLoop
  private let stateLock: ExclusiveLock
  private var locks: ZoneLocks
  private var flows: [String: ZoneFlow] = [:]
  private var draining: [ZoneFlow] = []
  private var declared: [String: DropZone] = [:]
  private let mountPoints: MountPoints
  private var mounts: OpenFile?
  private var lastReload: Task<OpeningError?, Never>?
  private var isCleanStop = false
  private var isStopped = false
  private var isAfterCrash = false
  nonisolated let failure: AsyncStream<String>
  private let fail: AsyncStream<String>.Continuation

  /// Locks the state directory for this process, and opens the ledger in it.
  init(
    state: String, declare: @escaping @Sendable () async throws -> [DropZone]
  ) throws(OpeningError) {
    statePath = state
    self.declare = declare
    (failure, fail) = AsyncStream.makeStream(of: String.self)
    DaemonSignals.ignoreStray()
    do {
      try Machine.makePrivateDirectory(state)
      stateLock = try ExclusiveLock(directory: RawPath(state))
      ledger = try Ledger(path: state + "/ledger.db")
      typer = try ContentTyper()
      loop = try EventLoop()
      locks = ZoneLocks(in: try LockDirectory.prepare())
      loop.start(name: "watch")
      mountPoints = try MountPoints(ledger)
      area = try StagingArea(loop: loop, ledger: ledger, mountPoints: mountPoints, typer: typer, log: log) { [fail] in
        fail.yield("\($0)")
      }
    } catch ExclusiveLock.Failure.held {
      throw OpeningError("another daemon uses the state directory '\(Escaping.escape(state))'")
    } catch ExclusiveLock.Failure.failed(let error) {
      throw OpeningError("the state directory: \(error)")
    } catch let error as FileError {
      throw OpeningError("the state directory: \(error)")
    } catch {
      throw OpeningError("cannot use the state directory '\(Escaping.escape(state))': \(error)")
    }
  }

  /// Recovers, watches and scans the zones. Returns once the first published state is correct.
  func open() async throws(OpeningError) {
    let declarations: [DropZone]
    let rows: [Drop]
    let boot: String?
    do {
      declarations = try await declare()
      try DropZone.check(declarations)
      if let damaged = ledger.damagedPath {
        log.warning(
          "the ledger was damaged; keeping it as '\(damaged)' and starting a new one", zone: "", id: nil, location: nil)
      }
      rows = try ledger.drops()
      boot = try ledger.boot()
      isCleanStop = try ledger.wasStoppedCleanly()
      try await area.open()
    } catch let error as OpeningError {
      throw error
    } catch {
      throw OpeningError("\(error)")
    }
    isAfterCrash = !isCleanStop && boot != nil && boot != Machine.bootID
    try? await ledger.commit([.setBoot(Machine.bootID), .setCleanStop(false)])
    for declaration in declarations { try locks.lock(declaration.settings) }
    for declaration in declarations { await prepare(declaration.settings) }
    for declaration in declarations { try await add(declaration, rows: rows) }
    await finishForeignRows(rows, declarations)
    watchMounts()
    await area.scanned()
  }

  /// Reads the zones again, without disturbing unchanged zones. Each reload begins when the previous one has finished.
  func reload() async throws(OpeningError) {
    let last = lastReload
    let reload = Task<OpeningError?, Never> {
      _ = await last?.value
      do throws(OpeningError) {
        try await reloadNow()
        return nil
      } catch {
        return error
      }
    }
    lastReload = reload
    if let failure = await reload.value { throw failure }
  }

  private func reloadNow() async throws(OpeningError) {
    let declarations: [DropZone]
    do {
      declarations = try await declare()
      try DropZone.check(declarations)
    } catch {
      throw OpeningError("\(error)")
    }
    let names = Set(declarations.map(\.settings.name))
    for flow in draining where await flow.isIdle { draining.removeAll { $0 === flow } }
    // Anyone who requests a reload confirms that the current mounts are right.
    await mountPoints.forget(declarations.flatMap(\.settings.places))
    for declaration in declarations { try locks.lock(declaration.settings) }
    for name in declared.keys where !names.contains(name) {
      if let flow = flows.removeValue(forKey: name) { await retire(flow) }
      await area.remove(name)
      declared[name] = nil
      locks.unlock(name)
    }
    for declaration in declarations {
      if isStopped { throw Self.stopping }
      try await reload(declaration)
    }
    await area.scanned()
    log.notice("reloaded: \(summary)", zone: "", id: nil, location: nil)
  }

  private func reload(_ declaration: DropZone) async throws(OpeningError) {
    let name = declaration.settings.name
    if let old = declared[name], old.isSame(as: declaration) {
      for place in declaration.settings.places { await note(place) }
      await area.reinspect(at: name)
      await flows[name]?.placesMayHaveChanged()
      return
    }
    await prepare(declaration.settings)
    if declared[name] == nil {
      try await add(declaration, rows: nil)
    } else {
      let old = flows[name]
      let (plan, flow) = try makeFlow(declaration)
      // Only one flow at a time may take payloads from the zone.
      if let old { await retire(old) }
      await area.replace(plan, flow)
    }
    declared[name] = declaration
  }

  /// Stops accepting work, stops the handlers, parks what is in progress, and records a clean stop in the ledger.
  ///
  /// All subscriptions have ended when `answered` begins; the zones answer requests until it returns.
  func stop(answered: () async -> Void = {}) async {
    guard !isStopped else { return }
    isStopped = true
    await area.endSubscriptions()
    await withTaskGroup(of: Void.self) { group in
      for flow in Array(flows.values) + draining { group.addTask { await flow.stop() } }
    }
    await answered()
    try? await ledger.commit([.setCleanStop(true)])
    ledger.close()
    loop.stop()
  }

  /// A status line for the service manager.
  var summary: String { declared.count == 1 ? "1 zone" : "\(declared.count) zones" }

  private static let stopping = OpeningError("the daemon is stopping")

  // MARK: - One zone

  private func makeFlow(_ declaration: DropZone) throws(OpeningError) -> (ZonePlan, ZoneFlow) {
    // A reload must not create a flow now, because nothing would stop it.
    if isStopped { throw Self.stopping }
    let settings = declaration.settings
    do {
      let plan = try declaration.plan(typer: typer, pool: actions)
      let flow = makeFlow(plan)
      flows[settings.name] = flow
      return (plan, flow)
    } catch {
      throw OpeningError("zone '\(settings.name)': \(error)")
    }
  }

  private func makeFlow(_ plan: ZonePlan) -> ZoneFlow {
    ZoneFlow(
      plan: plan, mountPoints: mountPoints, ledger: ledger, typer: typer, pool: pool,
      observer: area.observer(of: plan.name), log: log, suspects: suspects)
  }

  private func add(_ declaration: DropZone, rows: [Drop]?) async throws(OpeningError) {
    let name = declaration.settings.name
    let (plan, flow) = try makeFlow(declaration)
    declared[name] = declaration
    let found = await flow.recover((rows ?? []).filter { $0.zone == name }, isCleanStop: isCleanStop)
    var history: ZoneHistory
    do {
      history = try ledger.history(of: name)
    } catch {
      throw OpeningError("\(error)")
    }
    history.attempts += found
    history.isAfterCrash = isAfterCrash
    await flow.recoverOrphans()
    await area.add(plan, flow, history: history)
    await flow.begin()
  }

  /// Creates a missing box and rejects directory, and excludes the zone's directories from the scans of other zones.
  private func prepare(_ settings: ZoneSettings) async {
    for (path, model) in [(settings.box, nil), (settings.rejects, settings.box)] as [(String, String?)] {
      do throws(PlaceError) {
        if !mountPoints.contains(path) { try Place.make(path, like: model) }
      } catch {
        log.warning(error.message, zone: settings.name, id: nil, location: nil)
      }
    }
    for place in settings.places { await note(place) }
  }

  /// Excludes a directory from the scans of other zones, and remembers whether it is a mount point.
  private func note(_ path: String) async {
    guard let status = try? Directory(path).status() else { return }
    await area.exclude(status.identity)
    if status.isMountRoot { await mountPoints.remember(path) }
  }

  /// Lets a flow that has been replaced finish its work.
  private func retire(_ flow: ZoneFlow) async {
    draining.append(flow)
    await flow.retire()
  }

  /// Finishes the drops of zones that are no longer declared, with what their rows say. Drops without a verdict do not get
  /// one, because the rules for them are unknown.
  private func finishForeignRows(_ rows: [Drop], _ declarations: [DropZone]) async {
    let names = Set(declarations.map(\.settings.name))
    for (name, rows) in Dictionary(grouping: rows.filter { !names.contains($0.zone) }, by: \.zone) {
      guard let row = rows.first else { continue }
      var settings = ZoneSettings(name: name, path: row.zonePath, box: row.boxPath, rejects: row.rejectsPath)
      settings.accept.minSize = 0
      guard let plan = try? ZonePlan(settings: settings, types: [], handler: RemovedZone()) else { continue }
      let flow = makeFlow(plan)
      draining.append(flow)
      _ = await flow.recover(rows, isCleanStop: isCleanStop)
      await flow.begin()
    }
  }

  private func watchMounts() {
    guard let file = try? FileDescriptor.open("/proc/self/mountinfo", [.readOnly]) else { return }
    let mounts = OpenFile(file)
    self.mounts = mounts
    let area = area
    try? loop.watch(mounts.number, for: .urgent) { _ in
      // The kernel reports the next change only if the file is read to its end.
      _ = try? mounts.descriptor.read(at: 0, count: 1 << 20)
      Task { await area.mountsChanged() }
    }
  }
}

extension ZoneSettings {
  /// The directories whose identity matters.
  fileprivate var places: [String] { [path, box, rejects] }
}
