import DropEngine
import Support
import Testing

/// The tables of durability and recovery, driven against the real daemon: it is stopped before each call
/// that changes something on disk, started again, and the payload counted.
@Suite(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
struct CrashTests {
  /// What changes names or makes bytes durable.
  private static let steps = "rename,link,unlink,fsync,mkdir,clone"

  /// What becomes of the payload whose way is interrupted.
  enum Kind: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case accept, reject, copy
    /// Put back once, because the handler said «not yet».
    case putBack = "return"
    /// Taken out of the box as soon as it is there.
    case reader

    var testDescription: String { rawValue }
  }

  @Test(arguments: Kind.allCases, ["B", "X"])
  func `a daemon killed at any step brings the payload to one place, once and whole`(
    kind: Kind, box: String
  ) async throws {
    try await everyStep(Run(recipe: "kill-at", kind: kind, box: box, calls: Self.steps))
  }

  @Test func `a daemon killed in the middle of a copy copies again`() async throws {
    try await everyStep(Run(recipe: "kill-at", kind: .accept, box: "X", calls: "write"))
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"), arguments: ["B", "X"])
  func `a power cut at any step on ext4 leaves the payload once and whole`(box: String) async throws {
    try await everyStep(Run(recipe: "power-cut-at", kind: .accept, box: box, calls: Self.steps, disk: "ext4"))
  }

  @Test(
    .enabled(if: Machine.canMake("xfs"), "needs root and xfs"), arguments: [Kind.accept, .reject, .copy], ["B", "X"])
  func `a power cut at any step on xfs leaves the payload once and whole`(kind: Kind, box: String) async throws {
    try await everyStep(Run(recipe: "power-cut-at", kind: kind, box: box, calls: Self.steps, disk: "xfs"))
  }

  /// Steps between two that are tried. All are tried where DROPZONE_EVERY_STEP is set: half an hour on two cores.
  private static let spacing = Environment["DROPZONE_EVERY_STEP"] == nil ? 6 : 1

  /// Counts the steps in a run that is left alone, then has one run end at each.
  private func everyStep(_ run: Run) async throws {
    let steps = try await run.stopped(at: 0)
    #expect(steps > (run.calls == Self.steps ? 10 : 0), "only \(steps) steps were seen")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in stride(
        from: 1 + run.label.utf8.reduce(0) { $0 &+ Int($1) } % Self.spacing, through: steps, by: Self.spacing)
      {
        group.addTask { _ = try await run.stopped(at: step) }
      }
      try await group.waitForAll()
    }
  }

  private struct Run: Sendable {
    var recipe: String
    var kind: Kind
    var box: String
    var calls: String
    var disk: String?

    /// Also where the stride begins, so that different runs stop at different steps.
    var label: String { "\(recipe) \(kind) \(box) \(disk ?? "")" }

    /// Runs the recipe and returns how many steps were seen.
    func stopped(at step: Int) async throws -> Int {
      let seen = Counter()
      let environment = [
        "CRASH_AT": "\(step)", "CRASH_CALLS": calls, "CRASH_DISK": disk ?? "none", "KIND": kind.rawValue,
      ]
      try await Rig.run(
        recipe, label: "\(recipe) \(kind), box \(box), \(disk ?? "same disk"), step \(step)", variant: "box=\(box)",
        environment: environment, mounts: disk != nil
      ) { outcome in
        let faults = outcome.work.appending("faults").lines()
        await seen.set(faults.count)
        try await check(outcome, "stopped before «\(step > 0 && step <= faults.count ? faults[step - 1] : "nothing")»")
      }
      return await seen.count
    }

    private func check(_ outcome: Outcome, _ where: String) async throws {
      let whole: [RawPath: Payload] = ["one.pdf": "pdf one 300000"]
      let rejects = box == "B" ? "R" : "RX"
      #expect(outcome.exits.allSatisfy { $0 == 137 || $0 == 0 }, "\(`where`)\n\(outcome.story)")
      try await outcome.expectFiles(kind == .accept || kind == .copy || kind == .putBack ? whole : [:], in: box)
      try await outcome.expectFiles(kind == .reject ? whole : [:], in: rejects)
      outcome.expectLeft(kind == .copy ? ["one.pdf"] : [])
      #expect(
        outcome.receipts.map(\.outcome) == [kind == .reject ? .rejected : .delivered], "\(`where`)\n\(outcome.story)")
      if kind == .reader {
        #expect(outcome.work.appending("taken/1").exists, "taken once: \(`where`)\n\(outcome.story)")
        #expect(!outcome.work.appending("taken/2").exists, "not twice: \(`where`)\n\(outcome.story)")
      }
      // After a power cut the claim may be undone with its row, and the payload is then a new drop.
      let ids = Set(outcome.runs.map(\.id)).count
      #expect(ids <= 1 || disk != nil, "the id changed: \(`where`)\n\(outcome.story)")
      outcome.expectInvariants(payloads: 1, exits: outcome.exits, box: box, placesKnown: kind != .reader)
    }
  }

  private actor Counter {
    var count = 0
    func set(_ count: Int) { self.count = count }
  }
}
