import DropControl
import DropEngine
import DropFlow
import DropSystem
import Synchronization

/// The zones of this process, from the first scan until they are stopped.
actor RunningZones {
  /// How many threads may wait for the file systems of one zone.
  private static let threadsPerZone = 32
  /// How long the zones may take to park what they have in hand; handlers get 5 s to end.
  private static let parkingTime = Duration.seconds(6)
  /// How long the last commit may take.
  private static let commitTime = Duration.seconds(1)

  let declare: @Sendable () async throws -> [DropZone]
  let log = DaemonLog()
  private let time = TimeSource.system
  private let suspects = CrashSuspects(time: .system)
  /// For the program's functions, which may block for as long as they like.
  private let actions = BlockingPool(name: "actions", limit: 512)
  let ledger: Ledger
  let typer: ContentTyper
  let area: StagingArea
  private let loop: EventLoop
  private let stateLock: ExclusiveLock
  /// Whether the state directory is on a file system that a server answers for.
  let stateDependsOnServer: Bool
  let lockDirectory: RawPath
  var locks: [String: ZoneLock] = [:]
  var flows: [String: ZoneFlow] = [:]
  /// Flows that other flows have replaced, or whose zones are no longer declared.
  var draining: [ZoneFlow] = []
  var declared: [String: DropZone] = [:]
  /// Preparations that have not ended, with the settings they are for.
  var preparing: [String: (settings: ZoneSettings, preparation: Preparation)] = [:]
  /// What is being done to each zone, in order. What hangs delays only its own zone.
  private var zoneTasks: [String: Task<Void, Never>] = [:]
  /// The search for payloads that are in no ledger which has begun last.
  var lastOrphanSearch: Task<Void, Never>?
  let mountPoints: MountPoints
  private var mounts: OpenFile?
  private var lastReload: Task<OpeningError?, Never>?
  var isCleanStop = false
  private(set) var isStopped = false
  var isAfterCrash = false
  /// Why the first zone that could not be opened could not.
  var openingFailure: OpeningError?
  nonisolated let failure: AsyncStream<String>
  private let fail: AsyncStream<String>.Continuation

  /// Locks the state directory for this process, and opens the ledger in it.
  init(
    state: String, declare: @escaping @Sendable () async throws -> [DropZone]
  ) throws(OpeningError) {
    self.declare = declare
    (failure, fail) = AsyncStream.makeStream(of: String.self)
    DaemonSignals.ignoreStray()
    do {
      try Machine.makePrivateDirectory(state)
      stateLock = try ExclusiveLock(directory: RawPath(state))
      ledger = try Ledger(path: state + "/ledger.db", time: time)
      typer = try ContentTyper()
      loop = try EventLoop(time: time)
      stateDependsOnServer = try !Directory(state).fileSystemKind.evidence.usesLease
      lockDirectory = try LockDirectory.prepare()
      loop.start(name: "watch")
      mountPoints = try MountPoints(ledger)
      area = try StagingArea(
        loop: loop, ledger: ledger, mountPoints: mountPoints, typer: typer, log: log, time: time
      ) { [fail] in fail.yield("\($0)") }
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

  /// Stops accepting work, stops the handlers, parks what is in progress, and records a clean stop in the ledger.
  ///
  /// All subscriptions have ended when `answered` begins; the zones answer requests until it returns. Zones whose file
  /// systems hang are left as they are: their rows in the ledger say what the next start has to do.
  func stop(answered: () async -> Void = {}) async {
    guard !isStopped else { return }
    isStopped = true
    await area.endSubscriptions()
    await park()
    await answered()
    let ledger = ledger
    _ = await result(of: { try? await ledger.commit([.setCleanStop(true)]) }, within: Self.commitTime)
    ledger.close()
    loop.stop()
  }

  /// Stops the flows, except for those that a file system keeps from stopping in time.
  private func park() async {
    let deadline = monotonicNow() + Self.parkingTime
    let stops = (Array(flows.values) + draining).map { flow in
      (flow, Task(executorPreference: flow.pool) { await flow.stop() })
    }
    for (flow, stop) in stops where await result(of: { await stop.value }, within: deadline - monotonicNow()) == nil {
      log.warning(
        "not everything could be parked in time, probably because a file system does not answer; the next start continues",
        zone: flow.name, id: nil, location: nil)
    }
  }

  /// A status line for the service manager.
  var summary: String { declared.count == 1 ? "1 zone" : "\(declared.count) zones" }

  static let stopping = OpeningError("the daemon is stopping")

  // MARK: - One zone

  func makeFlow(_ declaration: DropZone) throws(OpeningError) -> (ZonePlan, ZoneFlow) {
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

  func makeFlow(_ plan: ZonePlan) -> ZoneFlow {
    ZoneFlow(
      plan: plan, mountPoints: mountPoints, ledger: ledger, typer: typer,
      pool: BlockingPool(limit: Self.threadsPerZone, on: .fileSystems), observer: area.observer(of: plan.name),
      log: log, suspects: suspects, time: time)
  }

  /// Does something to a zone after everything else that is being done to it, and returns once it is done, or the zone
  /// is unavailable: then it goes on in the background.
  func perform(on name: String, _ body: @escaping @Sendable (isolated RunningZones) async -> Void) async {
    let last = zoneTasks[name]
    let task = Task {
      await last?.value
      await body(self)
    }
    zoneTasks[name] = task
    let area = area
    _ = await result(of: { await task.value }, until: { await area.unavailable(name) })
  }

  func watchMounts() {
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
