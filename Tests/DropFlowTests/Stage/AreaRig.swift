import DropEngine
import DropSystem
import Support

@testable import DropFlow

/// A zone `z` with a staging area of its own. It is paused: what is put into it stays staged.
struct AreaRig {
  let root: RawPath
  let area: StagingArea
  let ledger: Ledger
  private let typer: ContentTyper
  private let loop: EventLoop

  static func with(_ body: @Sendable (AreaRig) async throws -> Void) async throws {
    try await Slots.watching.run {
      try await Scratch.with { scratch in
        let rig = try await AreaRig(scratch.path)
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
    await area.close()
    ledger.close()
    loop.stop()
  }

  private init(_ root: RawPath) async throws {
    self.root = root
    for name in ["Z", "B", "R"] { try root.appending(RawPath(name)).makeDirectory() }
    ledger = try Ledger(path: root.appending("ledger.db").description)
    typer = try ContentTyper()
    loop = try EventLoop()
    loop.start(name: "watch")
    area = try StagingArea(
      loop: loop, ledger: ledger, mountPoints: try MountPoints(ledger), typer: typer, log: Silence()
    ) { _ in }
    try await area.open()
    try await add("z", at: "Z")
  }

  private func add(_ name: String, at directory: String, earlier: [AttemptCount] = []) async throws {
    let (plan, flow) = try makeFlow(name, at: directory)
    var history = ZoneHistory()
    history.isPaused = true
    history.attempts = earlier
    await area.add(plan, flow)
    await area.begin(flow, history: history)
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
    let plan = try ZonePlan(
      settings: ZoneSettings(
        name: name, path: path(directory).description, box: path("B").description, rejects: path("R").description),
      types: [], handler: nil)
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
