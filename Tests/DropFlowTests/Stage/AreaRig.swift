import DropEngine
import DropSystem
import Support

@testable import DropFlow

/// A zone `z` with a staging area of its own. Unless a test says otherwise it is paused: what is put into it stays staged.
struct AreaRig {
  let root: RawPath
  let area: StagingArea
  let ledger: Ledger
  private let typer: ContentTyper
  private let loop: EventLoop
  private let options: Options

  /// What a test wants to be different.
  struct Options: Sendable {
    var isPaused = true
    var handler: (any DropHandler)?
    var configuration: (any LiveConfiguration)?
    var watcher: (any ZoneWatcher)?
    var settings: @Sendable (inout ZoneSettings) -> Void = { _ in }
    /// Puts files into the zone, which is passed, before it is scanned; returns what is known of them.
    var originals: @Sendable (RawPath) throws -> [CopiedOriginal] = { _ in [] }
  }

  static func with(
    _ options: Options = Options(), _ body: @Sendable (AreaRig) async throws -> Void
  ) async throws {
    try await Slots.watching.run {
      try await Scratch.with { scratch in
        let rig = try await AreaRig(scratch.path, options)
        do {
          try await body(rig)
          await rig.close()
        } catch {
          await rig.close()
          throw error
        }
      }
    }
  }

  private func close() async {
    for name in ["z", "y"] { await area.flow(of: name)?.stop() }
    await area.close()
    ledger.close()
    loop.stop()
  }

  private init(_ root: RawPath, _ options: Options) async throws {
    self.root = root
    self.options = options
    for name in ["Z", "B", "R"] { try root.appending(RawPath(name)).makeDirectory() }
    ledger = try Ledger(path: root.appending("ledger.db").description)
    typer = try ContentTyper()
    loop = try EventLoop()
    loop.start(name: "watch")
    area = try StagingArea(
      loop: loop, ledger: ledger, mountPoints: try MountPoints(ledger), typer: typer, log: Silence()
    ) { _ in }
    try await area.open()
    let originals = try options.originals(root.appending("Z"))
    try await ledger.commit(originals.map { .putOriginal($0) })
    try await add("z", at: "Z", originals: originals)
  }

  private func add(
    _ name: String, at directory: String, earlier: [AttemptCount] = [], originals: [CopiedOriginal] = []
  ) async throws {
    let (plan, flow) = try makeFlow(name, at: directory)
    var history = ZoneHistory()
    history.isPaused = options.isPaused
    history.attempts = earlier
    history.originals = originals
    await area.add(plan, flow)
    await area.begin(flow, history: history)
    await flow.begin()
    await area.scanned()
  }

  /// Adds a zone `y`, with files in it that were tried before.
  func addOther(_ files: [String] = [], earlier: [AttemptCount] = []) async throws {
    try path("Y").makeDirectory()
    for file in files { try path("Y/" + file).write(file) }
    try await ledger.commit(earlier.map { .putAttempts($0, at: 1) })
    try await add("y", at: "Y", earlier: earlier)
  }

  func makeFlow(_ name: String = "z", at directory: String = "Z") throws -> (ZonePlan, ZoneFlow) {
    var settings = ZoneSettings(
      name: name, path: path(directory).description, box: path("B").description, rejects: path("R").description)
    options.settings(&settings)
    let plan = try ZonePlan(
      settings: settings, types: settings.accept.types.map { try typer.pattern($0) }, handler: options.handler,
      configuration: options.configuration, watcher: options.watcher)
    let flow = ZoneFlow(
      plan: plan, mountPoints: try MountPoints(ledger), ledger: ledger, typer: typer,
      pool: BlockingPool(name: "work", limit: 64),
      observer: area.observer(of: name), log: Silence(), suspects: CrashSuspects(time: .system))
    return (plan, flow)
  }

  /// Sets the zone up anew, as a reload does where its settings have changed.
  func replace() async throws {
    let (plan, flow) = try makeFlow()
    await area.replace(plan, flow)
    await area.scanned()
  }

  func path(_ name: String) -> RawPath { root.appending(RawPath(name)) }

  func rename(_ name: String, to other: String, replacing: Bool = false) throws {
    try Directory.working.rename(path(name), to: path(other), in: .working, replacing: replacing)
  }

  /// The zone as it is once it is what a test waits for.
  func status(where isReached: (ZoneStatus) -> Bool) async throws -> ZoneStatus? {
    for await status in try await area.changes(of: ["z"]) where isReached(status) { return status }
    return nil
  }

  /// The ids of what is staged, by location, once that is as much.
  func staged(_ count: Int) async throws -> [String: String] {
    let staged = try await status { $0.state == .paused && $0.staged.count == count }?.staged ?? []
    return Dictionary(uniqueKeysWithValues: staged.map { ($0.location, $0.id.description) })
  }

  var attempts: [AttemptCount] {
    get throws { try ledger.attempts(in: "z") + ledger.attempts(in: "y") }
  }

  var last: Receipt? {
    get throws { try ledger.lastReceipt(of: "z")?.receipt }
  }

  private struct Silence: FlowLog {
    func notice(_ message: String, zone: String, id: DropID?, location: RawPath?) {}
    func warning(_ message: String, zone: String, id: DropID?, location: RawPath?) {}
  }
}

extension StagingArea {
  /// Lets go of the watch library, of which there is one in a process.
  fileprivate func close() {
    endSubscriptions()
    for zone in zones.all { remove(zone.name) }
    scanner.kernel.close()
  }
}
