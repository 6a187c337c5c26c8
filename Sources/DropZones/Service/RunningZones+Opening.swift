import DropEngine
import DropFlow
import DropSystem

/// Opens zones, at the start and after a reload.
///
/// Whatever waits for a file system runs on the threads of its zone. A zone whose file system does not answer is
/// unavailable, and is opened as soon as it does.
extension RunningZones {
  /// How long the places of a zone may take to answer before it is opened in the background.
  private static let patience = Duration.seconds(10)

  typealias Preparation = Task<Result<ZonePreparation.Result, OpeningError>, Never>

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
    try await openAll(declarations, rows)
    await finishForeignRows(rows, declarations)
    watchMounts()
    await area.scanned()
  }

  private func openAll(_ declarations: [DropZone], _ rows: [Drop]) async throws(OpeningError) {
    var zones: [(flow: ZoneFlow, preparation: Preparation)] = []
    for declaration in declarations {
      let (plan, flow) = try makeFlow(declaration)
      declared[declaration.settings.name] = declaration
      await area.add(plan, flow)
      zones.append((flow, prepare(declaration.settings, on: flow.pool)))
    }
    // The places of all zones are known before the first one is scanned, and every lock is held before the first one is
    // touched.
    try await check(zones.map(\.preparation))
    for (flow, preparation) in zones {
      let rows = rows.filter { $0.zone == flow.name }
      await perform(on: flow.name) { await $0.open(flow, preparation, rows) }
    }
    if let failure = openingFailure { throw failure }
  }

  /// Recovers what an earlier process left of a zone, and begins with it.
  private func open(_ flow: ZoneFlow, _ preparation: Preparation, _ rows: [Drop]) async {
    let prepared: ZonePreparation.Result
    switch await preparation.value {
    case .success(let result): prepared = result
    case .failure(let error): return await refuse(flow, error)
    }
    // Another reload may have taken the zone away.
    guard flows[flow.name] === flow, !isStopped else { return }
    let isCleanStop = isCleanStop
    let found = await withTaskExecutorPreference(flow.pool) { await flow.recover(rows, isCleanStop: isCleanStop) }
    var history: ZoneHistory
    do {
      let (ledger, name) = (ledger, flow.name)
      history = try await flow.pool.run { () throws(LedgerError) in try ledger.history(of: name) }
    } catch {
      return await refuse(flow, OpeningError("\(error)"))
    }
    history.attempts += found
    history.isAfterCrash = isAfterCrash
    await recoverOrphans(of: flow)
    await area.begin(
      flow, history: history, dependsOnServer: stateDependsOnServer || prepared.dependsOnServer)
    await withTaskExecutorPreference(flow.pool) { await flow.begin() }
  }

  /// Recovers what has no row: one zone after the other, because two may share a hold. None waits long for another one,
  /// whose file system may hang.
  private func recoverOrphans(of flow: ZoneFlow) async {
    let last = lastOrphanSearch
    let search = Task(executorPreference: flow.pool) {
      _ = await result(of: { await last?.value }, within: Self.patience)
      await flow.recoverOrphans()
    }
    lastOrphanSearch = search
    await search.value
  }

  private func refuse(_ flow: ZoneFlow, _ failure: OpeningError) async {
    openingFailure = openingFailure ?? failure
    declared[flow.name] = nil
    log.warning("\(failure)", zone: flow.name, id: nil, location: nil)
    await area.refuse(flow, failure.description)
  }

  // MARK: - Places

  private func prepare(_ settings: ZoneSettings, on pool: BlockingPool) -> Preparation {
    // One that hangs must not take another thread at each reload.
    if let (known, preparation) = preparing[settings.name], known == settings { return preparation }
    let lock = locks[settings.name] ?? ZoneLock()
    locks[settings.name] = lock
    let work = ZonePreparation(
      settings: settings, lock: lock, lockDirectory: lockDirectory, mountPoints: mountPoints)
    let preparation = Preparation {
      let result = await pool.run { Result(catching: work.run) }
      if preparing[settings.name]?.settings == settings { preparing[settings.name] = nil }
      if case .success(let prepared) = result { await note(prepared, of: settings.name) }
      return result
    }
    preparing[settings.name] = (settings, preparation)
    return preparation
  }

  private func note(_ prepared: ZonePreparation.Result, of name: String) async {
    for warning in prepared.warnings { log.warning(warning, zone: name, id: nil, location: nil) }
    for directory in prepared.directories { await area.exclude(directory) }
    for path in prepared.mountPoints { await mountPoints.remember(path) }
  }

  /// Waits for the places of zones, but not for those that do not answer. Throws if another process has one of the zones.
  private func check(_ preparations: [Preparation]) async throws(OpeningError) {
    let deadline = monotonicNow() + Self.patience
    for preparation in preparations {
      let answer = await result(of: { await preparation.value }, within: deadline - monotonicNow())
      if case .failure(let error)? = answer { throw error }
    }
  }

  // MARK: - Reload

  func reloadNow() async throws(OpeningError) {
    let declarations: [DropZone]
    do {
      declarations = try await declare()
      try DropZone.check(declarations)
    } catch {
      throw OpeningError("\(error)")
    }
    let names = Set(declarations.map(\.settings.name))
    openingFailure = nil
    await forgetDrained()
    // Anyone who requests a reload confirms that the current mounts are right.
    await mountPoints.forget(declarations.flatMap(\.settings.places))
    let pool = BlockingPool(limit: 256, on: .fileSystems)
    let preparations = declarations.map { prepare($0.settings, on: pool) }
    do throws(OpeningError) {
      try await check(preparations)
    } catch {
      for name in names where declared[name] == nil { locks[name] = nil }
      throw error
    }
    for name in declared.keys where !names.contains(name) { await remove(name) }
    for (declaration, preparation) in zip(declarations, preparations) {
      if isStopped { throw Self.stopping }
      try await reload(declaration, preparation)
    }
    await area.scanned()
    log.notice("reloaded: \(summary)", zone: "", id: nil, location: nil)
  }

  private func forgetDrained() async {
    for flow in draining where await result(of: { await flow.isIdle }, within: .milliseconds(100)) == true {
      draining.removeAll { $0 === flow }
    }
  }

  private func remove(_ name: String) async {
    if let flow = flows.removeValue(forKey: name) {
      draining.append(flow)
      await perform(on: name) { _ in await flow.retire() }
    }
    await area.remove(name)
    declared[name] = nil
    locks[name] = nil
  }

  private func reload(_ declaration: DropZone, _ preparation: Preparation) async throws(OpeningError) {
    let name = declaration.settings.name
    if let old = declared[name], old.isSame(as: declaration), let flow = flows[name] {
      await area.reinspect(at: name)
      return await perform(on: name) { _ in
        await withTaskExecutorPreference(flow.pool) { await flow.placesMayHaveChanged() }
      }
    }
    let old = flows[name]
    if declared[name] == nil, old != nil { await remove(name) }
    let (plan, flow) = try makeFlow(declaration)
    if let old, declared[name] != nil {
      draining.append(old)
      await perform(on: name) { await $0.replace(old, by: flow, plan, preparation) }
    } else {
      await area.add(plan, flow)
      await perform(on: name) { await $0.open(flow, preparation, []) }
    }
    declared[name] = declaration
    if let failure = openingFailure { throw failure }
  }

  private func replace(_ old: ZoneFlow, by flow: ZoneFlow, _ plan: ZonePlan, _ preparation: Preparation) async {
    let prepared = try? await preparation.value.get()
    // Only one flow at a time may take payloads from the zone.
    let retirement = Task(executorPreference: old.pool) { await old.retire() }
    if old.settings.path == flow.settings.path { await retirement.value }
    // Another reload may have taken the zone away.
    guard await area.flow(of: flow.name) === old else { return }
    await area.replace(plan, flow, dependsOnServer: stateDependsOnServer || prepared?.dependsOnServer ?? false)
  }

  // MARK: - Rows of other zones

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
      let isCleanStop = isCleanStop
      let finishing = Task(executorPreference: flow.pool) {
        _ = await flow.recover(rows, isCleanStop: isCleanStop)
        await flow.begin()
      }
      _ = await result(of: { await finishing.value }, within: Self.patience)
    }
  }
}

extension ZoneSettings {
  /// The directories whose identity matters.
  fileprivate var places: [String] { [path, box, rejects] }
}
