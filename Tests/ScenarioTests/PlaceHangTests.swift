import Support
import Testing

/// Tests of file systems that stop answering, or whose server dies: only the zones that depend on them wait.
@Suite(.enabled(if: Machine.canMount, "needs the right to mount")) struct PlaceHangTests {
  @Test(arguments: ["idle", "busy", "start"])
  func `a file system that hangs stops only the zones that depend on it`(when: String) async throws {
    try await Rig.run("F100-places-hang", environment: ["WHEN": when], mounts: true, check)
  }

  @Test(arguments: ["running", "start"])
  func `a zone whose FUSE server has died is unavailable until it is mounted again`(when: String) async throws {
    try await Rig.run("F101-places-die", environment: ["WHEN": when], mounts: true, check)
  }

  @Test(arguments: ["idle", "busy", "start"])
  func `a state directory that hangs does not keep the daemon from answering and ending`(when: String) async throws {
    try await Rig.run("F102-state-hangs", environment: ["WHEN": when], mounts: true, check)
  }

  /// The recipes complain about whatever does not happen in time.
  @Sendable private func check(_ outcome: Outcome) {
    #expect(outcome.notes.isEmpty, "\(outcome.story)")
    #expect(outcome.exits.allSatisfy { $0 == 0 }, "\(outcome.story)")
  }
}
