import DropEngine
import Support
import Testing

/// Tests of the durability and recovery tables with the real daemon: it is killed before each call that changes something
/// on disk, and started again; then the payloads are counted.
@Suite(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
struct CrashTests {
  @Test(arguments: CrashKind.allCases, ["B", "X"])
  func `a daemon killed at any step brings the payload to one place, once and complete`(
    kind: CrashKind, box: String
  ) async throws {
    try await CrashRun(kind: kind, box: box).everyStep(spacing: 6)
  }

  @Test func `a daemon killed in the middle of a copy copies again`() async throws {
    try await CrashRun(kind: .accept, box: "X", calls: "write").everyStep(spacing: 6)
  }

  @Test(
    .enabled(if: Machine.canMake("ext4"), "needs root and ext4"), arguments: CrashKind.allCases, PowerCut.allOnExt4)
  func `a power cut at any step on ext4 leaves the payload once and complete`(
    kind: CrashKind, cut: PowerCut
  ) async throws {
    try await CrashRun(kind: kind, box: cut.box, cut: cut).everyStep(spacing: 24)
  }

  @Test(.enabled(if: Machine.canMake("xfs"), "needs root and xfs"), arguments: CrashKind.allCases, PowerCut.allOnXFS)
  func `a power cut at any step on xfs leaves the payload once and complete`(
    kind: CrashKind, cut: PowerCut
  ) async throws {
    try await CrashRun(kind: kind, box: cut.box, cut: cut).everyStep(spacing: 24)
  }

  // This omits the reader, because on btrfs its removal can be on disk while the daemon's rename is not.
  @Test(
    .enabled(if: Machine.canMake("btrfs"), "needs root and btrfs"),
    arguments: CrashKind.allCases.filter { $0 != .reader }, PowerCut.allOnBtrfs)
  func `a power cut at any step on btrfs leaves the payload once and complete`(
    kind: CrashKind, cut: PowerCut
  ) async throws {
    try await CrashRun(kind: kind, box: cut.box, cut: cut).everyStep(spacing: 24)
  }
}

/// The path of the payload that is interrupted.
enum CrashKind: String, Sendable, CaseIterable, CustomTestStringConvertible {
  case accept, reject, copy
  /// Put back once, because the handler answered "not yet".
  case putBack = "return"
  /// Taken out of the box as soon as it appears.
  case reader
  /// A reject that is retried and accepted.
  case retry
  /// A reject that is retried and refused again.
  case again
  /// A delivery that is undone.
  case undo

  var testDescription: String { rawValue }

  /// The place where the payload ends up.
  var end: End {
    switch self {
    case .accept, .copy, .putBack, .retry: .box
    case .reject, .again: .rejects
    case .undo: .zone
    case .reader: .reader
    }
  }

  enum End { case box, rejects, zone, reader }
}

/// How the power is cut, and between which disks the payload was moving.
struct PowerCut: Sendable, CustomTestStringConvertible {
  var disk: String
  var box: String
  /// Whether the journal reached the disk, but the data did not.
  var isJournalFlushed = false

  var testDescription: String { "\(disk), box \(box)\(isJournalFlushed ? ", journal flushed" : "")" }

  static let allOnExt4 = all(on: "ext4")
  static let allOnXFS = all(on: "xfs")
  static let allOnBtrfs = all(on: "btrfs").filter { !$0.isJournalFlushed }

  private static func all(on disk: String) -> [PowerCut] {
    ["B", "X"].flatMap { box in
      [false, true].map { PowerCut(disk: disk, box: box, isJournalFlushed: $0) }
    }
  }
}

/// A path through the tables that is interrupted at each of its steps.
struct CrashRun: Sendable {
  var kind: CrashKind
  var box: String
  /// The calls that change names or make data durable.
  var calls = "rename,link,unlink,fsync,mkdir,clone"
  var cut: PowerCut?

  /// Also determines the first step, so that different runs stop at different steps.
  private var label: String { "\(kind), box \(box), \(cut.map { "power cut, \($0.testDescription)" } ?? "killed")" }

  /// Counts the steps in a run without interruption, and then stops one run at each step.
  ///
  /// Only every `spacing`th step is tried, unless DROPZONE_EVERY_STEP is set.
  func everyStep(spacing: Int) async throws {
    let spacing = Environment["DROPZONE_EVERY_STEP"] == nil ? spacing : 1
    let steps = try await stopped(at: 0)
    #expect(steps > (calls == "write" ? 0 : 5), "only \(steps) steps were seen")
    let first = 1 + label.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff } % spacing
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in stride(from: min(first, steps), through: steps, by: spacing) {
        group.addTask { _ = try await stopped(at: step) }
      }
      try await group.waitForAll()
    }
  }

  /// Runs the recipe, and returns the number of steps.
  private func stopped(at step: Int) async throws -> Int {
    let environment = [
      "CRASH_AT": "\(step)", "CRASH_CALLS": calls, "CRASH_DISK": cut?.disk ?? "none", "KIND": kind.rawValue,
      "CRASH_JOURNAL": cut?.isJournalFlushed == true ? "flushed" : "lost",
    ]
    let seen = Counter()
    try await Rig.run(
      cut == nil ? "kill-at" : "power-cut-at", label: "\(label), step \(step)", variant: "box=\(box)",
      environment: environment, mounts: cut != nil
    ) { outcome in
      let steps = outcome.work.appending("faults").lines()
      await seen.set(steps.count)
      try await check(outcome, "stopped before «\(step > 0 && step <= steps.count ? steps[step - 1] : "nothing")»")
    }
    return await seen.count
  }

  private func check(_ outcome: Outcome, _ where: String) async throws {
    let whole: [RawPath: Payload] = ["one.pdf": "pdf one 300000"]
    let rejects = box == "B" ? "R" : "RX"
    #expect(outcome.exits.allSatisfy { $0 == 137 || $0 == 0 }, "\(`where`)\n\(outcome.story)")
    try await outcome.expectFiles(kind.end == .box ? whole : [:], in: box)
    try await outcome.expectFiles(kind.end == .rejects ? whole : [:], in: rejects)
    let reasons = outcome.files(rejects).map(\.path).filter { $0.bytes.ends(with: ".reason.json") }
    #expect(
      reasons == (kind.end == .rejects ? ["one.pdf.reason.json"] : []), "reasons: \(`where`)\n\(outcome.story)")
    outcome.expectLeft(kind == .copy || kind.end == .zone ? ["one.pdf"] : [])
    let last: Receipt.Outcome =
      switch kind.end {
      case .box, .reader: .delivered
      case .rejects: .rejected
      case .zone: .undone
      }
    #expect(outcome.receipts.map(\.outcome) == [last], "\(`where`)\n\(outcome.story)")
    if kind.end == .reader { checkTaken(outcome, `where`) }
    // After a power cut, the claim and its row may be undone; the payload is then a new drop.
    let ids = Set(outcome.runs.map(\.id)).count
    #expect(ids <= 1 || cut != nil, "the id changed: \(`where`)\n\(outcome.story)")
    outcome.expectInvariants(payloads: 1, exits: outcome.exits, box: box, placesKnown: kind.end != .reader)
  }

  private func checkTaken(_ outcome: Outcome, _ where: String) {
    let taken = ["taken", "taken.before"].flatMap { place in
      ["1", "2"].filter { outcome.work.appending(RawPath(place)).appending(RawPath($0)).exists }
    }
    // A reader that was stopped between the removal and its own last step also has the payload.
    let unfinished = ["taken", "taken.before"].contains { outcome.work.appending(RawPath($0 + "/1.part")).exists }
    #expect(taken.count == 1 || taken.isEmpty && unfinished, "taken once: \(`where`)\n\(outcome.story)")
  }

  private actor Counter {
    var count = 0
    func set(_ count: Int) { self.count = count }
  }
}
