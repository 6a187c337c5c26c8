import DropEngine
import Support
import Testing

/// The tables of durability and recovery, driven against the real daemon: it is stopped before each call
/// that changes something on disk, started again, and the payload counted.
@Suite(.enabled(if: Machine.has(program: "cc"), "the fault shim needs a C compiler"))
struct CrashTests {
  /// What changes names or makes bytes durable.
  private static let steps = "rename,link,unlink,fsync,mkdir,clone"

  @Test(arguments: ["B", "X"])
  func `a daemon killed at any step delivers the payload once and whole`(box: String) async throws {
    try await everyStep(of: "kill-at", box: box, calls: Self.steps)
  }

  @Test func `a daemon killed in the middle of a copy copies again`() async throws {
    try await everyStep(of: "kill-at", box: "X", calls: "write")
  }

  @Test(.enabled(if: Machine.canMake("ext4"), "needs root and ext4"), arguments: ["B", "X"])
  func `a power cut at any step on ext4 leaves the payload once and whole`(box: String) async throws {
    try await everyStep(of: "power-cut-at", box: box, calls: Self.steps, disk: "ext4")
  }

  @Test(.enabled(if: Machine.canMake("xfs"), "needs root and xfs"), arguments: ["B", "X"])
  func `a power cut at any step on xfs leaves the payload once and whole`(box: String) async throws {
    try await everyStep(of: "power-cut-at", box: box, calls: Self.steps, disk: "xfs")
  }

  /// Counts the steps in a run that is left alone, then has one run end at each.
  private func everyStep(of recipe: String, box: String, calls: String, disk: String? = nil) async throws {
    let run = Run(recipe: recipe, box: box, calls: calls, disk: disk)
    let steps = try await run.stopped(at: 0)
    #expect(steps > (calls == Self.steps ? 10 : 0), "only \(steps) steps were seen")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in stride(from: 1, through: steps, by: 1) {
        group.addTask { _ = try await run.stopped(at: step) }
      }
      try await group.waitForAll()
    }
  }

  private struct Run: Sendable {
    var recipe: String
    var box: String
    var calls: String
    var disk: String?

    /// Runs the recipe and returns how many steps were seen.
    func stopped(at step: Int) async throws -> Int {
      let seen = Counter()
      let environment = ["CRASH_AT": "\(step)", "CRASH_CALLS": calls, "CRASH_DISK": disk ?? "none"]
      try await Rig.run(
        recipe, label: "\(recipe), box \(box), \(disk ?? "same disk"), step \(step) of \(calls)",
        variant: "box=\(box)", environment: environment, mounts: disk != nil
      ) { outcome in
        let faults = outcome.work.appending("faults").lines()
        await seen.set(faults.count)
        let label = "stopped before: \(step > 0 && step <= faults.count ? faults[step - 1] : "nothing")"
        try await outcome.expectFiles(["one.pdf": "pdf one 300000"], in: box)
        outcome.expectLeft()
        outcome.expectDelivered(["one.pdf"])
        // After a power cut the claim may be undone with its row, and the payload is then a new drop.
        let ids = Set(outcome.runs.map(\.id)).count
        #expect(ids <= 1 || disk != nil, "\(label): the id changed\n\(outcome.story)")
        #expect(outcome.exits.allSatisfy { $0 == 137 || $0 == 0 }, "\(label)\n\(outcome.story)")
        outcome.expectInvariants(payloads: 1, exits: outcome.exits, box: box)
      }
      return await seen.count
    }
  }

  private actor Counter {
    var count = 0
    func set(_ count: Int) { self.count = count }
  }
}
