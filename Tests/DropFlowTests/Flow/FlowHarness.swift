import DropSystem
import Support

@testable import DropEngine
@testable import DropFlow

/// A zone `Z` on a real directory with its box `B` and its rejects `R`, and what its stages work with.
final class FlowHarness: Sendable {
  let root: RawPath
  /// On a file system of its own, if a test asks for that.
  let box: RawPath
  let ledger: Ledger
  let context: FlowContext
  let runner: StepRunner
  let told = FlowRecorder()

  /// - Parameter isFar: Whether the box lies on another file system than the zone.
  static func with(
    isFar: Bool = false, handler: (any DropHandler)? = nil, types: [String] = [], time: TimeSource = .system,
    _ settings: (inout ZoneSettings) -> Void = { _ in }, _ body: (FlowHarness) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      guard isFar else {
        let harness = try FlowHarness(scratch.path, box: scratch.path, handler, types, time, settings)
        defer { harness.ledger.close() }
        return try await body(harness)
      }
      try await Scratch.with(in: "/dev/shm") { other in
        let harness = try FlowHarness(scratch.path, box: other.path, handler, types, time, settings)
        defer { harness.ledger.close() }
        try await body(harness)
      }
    }
  }

  private init(
    _ root: RawPath, box: RawPath, _ handler: (any DropHandler)?, _ types: [String], _ time: TimeSource,
    _ change: (inout ZoneSettings) -> Void
  ) throws {
    self.root = root
    self.box = box.appending("B")
    for path in [root.appending("Z"), self.box, root.appending("R")] { try path.makeDirectory() }
    var settings = ZoneSettings(
      name: "z", path: root.appending("Z").description, box: self.box.description,
      rejects: root.appending("R").description)
    settings.accept.types = types
    change(&settings)
    ledger = try Ledger(path: root.appending("ledger.db").description)
    let typer = try Self.typer.get()
    let patterns = try types.map { try typer.pattern($0) }
    context = FlowContext(
      plan: try ZonePlan(settings: settings, types: patterns, handler: handler), ledger: ledger, typer: typer,
      observer: told, log: told, mountPoints: try MountPoints(ledger), suspects: CrashSuspects(time: time), time: time)
    runner = StepRunner(context)
  }

  /// It reads the MIME database, which takes longer than most tests.
  private static let typer = Result { try ContentTyper() }

  func flow() -> ZoneFlow {
    ZoneFlow(
      plan: context.plan, mountPoints: context.mountPoints, ledger: ledger, typer: context.typer,
      pool: BlockingPool(name: "flow", limit: 64), observer: told, log: told, suspects: context.suspects,
      time: context.time)
  }

  // MARK: - Files

  func path(_ name: String) -> RawPath {
    if name == "B" || name.hasPrefix("B/") { return box.appending(RawPath(String(name.dropFirst(2)))) }
    return root.appending(RawPath(name))
  }

  /// Writes a file, and makes the directories that it needs.
  func write(_ name: String, _ text: String = "hello") throws {
    let path = path(name)
    var parents: [RawPath] = []
    while let parent = Optional(parents.last?.parent ?? path.parent), !parent.exists { parents.append(parent) }
    for parent in parents.reversed() { try parent.makeDirectory() }
    try path.write(text)
  }

  func text(_ name: String) -> String? {
    (try? path(name).contents()).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a directory, sorted; nothing for one that is not there.
  func names(_ name: String) -> [String] {
    ((try? Directory(path(name)).names()) ?? []).map(\.description).sorted()
  }

  func status(_ name: String) throws -> FileStatus {
    let path = path(name)
    return try Directory(path.parent).status(of: path.lastComponent)
  }

  /// Opens a file for writing and keeps it open.
  func openForWriting(_ name: String) throws -> FileDescriptor { try FileDescriptor.open(path(name), [.readWrite]) }

  // MARK: - Payloads

  /// A file of the zone that staging released, written first if there is a text for it.
  func release(
    _ name: String, _ text: String? = "hello", operation: DeliveryRules.Operation = .move,
    evidence: Evidence = .lease, _ change: (inout Release) -> Void = { _ in }
  ) throws -> Release {
    if let text { try write("Z/" + name, text) }
    let location = RawPath(name)
    let payload = StagedPayload(
      id: newDropID(), status: try status("Z/" + name), name: .ordinary, evidence: evidence, firstSeen: 1,
      cameComplete: true, at: monotonicNow())
    var release = Release(
      key: PayloadKey(directory: 1, name: location.lastComponent), payload: payload, location: location,
      mountLocation: RawPath(bytes: []), unsyncedBytes: 0, session: DropID(milliseconds: 1, high: 0, low: 1),
      operation: operation)
    change(&release)
    return release
  }

  /// The hold of payloads that are claimed from the zone.
  func hold() throws -> Hold {
    try context.holds.hold(for: Directory(context.settings.path), .claims(RawPath(bytes: [])))
  }

  /// The row of a payload that lies in the hold, written there.
  func row(
    _ name: String, _ text: String = "hello", _ change: (inout Drop) throws -> Void = { _ in }
  ) throws -> Drop {
    let hold = try hold()
    let id = newDropID()
    let entry = Drop.entry(for: id, name: RawPath(name).lastComponent)
    try RawPath(hold.path).appending(RawPath(entry)).write(text)
    let status = try hold.directory.status(of: RawPath(entry))
    let settings = context.settings
    var row = Drop(
      id: id, zone: "z", location: RawPath(name), state: .claiming, operation: .move, zonePath: settings.path,
      boxPath: settings.box, rejectsPath: settings.rejects, holdPath: hold.path, entry: entry,
      inode: status.identity.inode, birth: status.identity.birth, size: status.size, modified: status.modified,
      firstSeen: 1, released: 2, evidence: .lease)
    row.changed = status.changed
    row.holdIdentity = hold.identity.stored
    try change(&row)
    return row
  }

  /// A payload that was just claimed: it is in the hold, and so is its row in the ledger.
  func held(
    _ name: String = "a.txt", _ text: String = "hello", _ change: (inout Drop) throws -> Void = { _ in }
  ) async throws -> ClaimedPayload {
    let row = try row(name, text, change)
    try await ledger.commit([.put(row)])
    let status = try Directory(row.holdPath).status(of: RawPath(row.entry))
    var delivery = Delivery(claiming: row, policy: context.policy)
    while delivery.stage == .claim {
      switch delivery.step {
      case .rename: delivery.receive(.renamed(status), at: 1)
      case .copy: delivery.receive(.copied(.init(status: status)), at: 1)
      default: delivery.receive(.done, at: 1)
      }
    }
    return ClaimedPayload(delivery, time: context.time)
  }

  /// A payload in the hold that was typed, and that nothing speaks against.
  func judged(
    _ name: String = "a.txt", _ text: String = "hello", _ change: (inout Drop) throws -> Void = { _ in }
  ) async throws -> ClaimedPayload {
    var payload = try await held(name, text, change)
    let typed = TypedContent(type: .plainText, claimedType: nil, grade: .proved)
    payload.receive(.checked(Delivery.Content(status: nil, typed: typed)))
    return payload
  }

  /// A payload in the hold that goes to the rejects.
  func refused(_ name: String = "a.txt", _ text: String = "hello") async throws -> ClaimedPayload {
    try await judged(name, text) { $0.verdict = .rejected(.type, message: "no") }
  }

  /// The only row that the ledger has of a payload; nil if it has none.
  func row(of payload: ClaimedPayload) throws -> Drop? { try ledger.drop(payload.id) }

  func receipt(of payload: ClaimedPayload) throws -> ReceiptRecord? { try ledger.outcome(of: payload.id) }

  /// The payload in the hold, by its absolute path.
  func heldPath(_ payload: ClaimedPayload) -> RawPath {
    RawPath(payload.drop.holdPath).appending(RawPath(payload.drop.entry))
  }
}

extension ClaimedPayload {
  /// What it waits for; nil while it does not wait.
  var wait: Delivery.Wait? {
    if case .wait(let wait) = delivery.step { wait } else { nil }
  }

  /// Whether its next step has come of a wait that is over.
  mutating func resume() { receive(.resumed) }
}

extension Delivery.Event {
  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}
