import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct HeldInspectionTests {
  /// What the hold has of a payload after something was done there.
  private func inspect(
    wantsReturn: Bool = false, _ change: (FlowHarness, ClaimedPayload) throws -> Void = { _, _ in }
  ) async throws -> (event: Delivery.Event, drop: Drop) {
    var result: (Delivery.Event, Drop)?
    try await FlowHarness.with { harness in
      let payload = try await harness.held()
      try change(harness, payload)
      result = (
        HeldInspection(context: harness.context).inspect(payload.drop, wantsReturn: wantsReturn), payload.drop
      )
    }
    return try #require(result)
  }

  private func held(
    _ change: (FlowHarness, ClaimedPayload) throws -> Void = { _, _ in }
  ) async throws -> (held: Delivery.Held, drop: Drop) {
    let (event, drop) = try await inspect(change)
    guard case .inspected(let held, false) = event else { throw Unexpected(event: event) }
    return (held, drop)
  }

  @Test func `a payload that nothing was done to is the same`() async throws {
    #expect(try await held().held == .same)
  }

  @Test(arguments: ["written", "replaced", "mode"])
  func `a payload that was written, replaced or set is another`(how: String) async throws {
    let (held, drop) = try await held { harness, payload in
      let path = harness.heldPath(payload)
      switch how {
      case "written": try path.write("another")
      case "mode": try path.setMode(0o600)
      default:
        try harness.write("other", "another")
        try Directory.working.rename(harness.path("other"), to: path, in: .working, replacing: true)
      }
    }
    guard case .changed(let status) = held else { throw Unexpected(event: .inspected(held, nameIsFree: false)) }
    #expect(status.changed != drop.changed)
    #expect((status.identity.inode == drop.inode) == (how != "replaced"))
  }

  @Test func `a payload that has left the hold is gone`() async throws {
    let gone = try await held { harness, payload in try harness.heldPath(payload).rename(to: harness.path("taken")) }
    #expect(gone.held == .gone)
  }

  @Test func `what is not there because its hold is not is not gone`() async throws {
    for isReplaced in [false, true] {
      let (event, _) = try await inspect { harness, _ in
        try harness.path("B.hold").rename(to: harness.path("away"))
        if isReplaced { try harness.path("B.hold").makeDirectory() }
      }
      guard case .failed(let failure) = event else { throw Unexpected(event: event) }
      #expect(failure.kind == .holdMissing)
    }
  }

  @Test func `a payload that has another name in the hold is known by its id`() async throws {
    let (held, drop) = try await held { harness, payload in
      try harness.heldPath(payload).rename(to: RawPath(harness.heldPath(payload).description + ".out"))
    }
    guard case .renamed(let entry, let status, let message) = held else {
      throw Unexpected(event: .inspected(held, nameIsFree: false))
    }
    #expect(entry == drop.entry + ".out" && status.identity.inode == drop.inode)
    #expect(message.contains("the handler left '\(entry)' in the hold"))
  }

  @Test func `among several files the payload itself is gone on with`() async throws {
    let (held, drop) = try await held { harness, payload in
      let path = harness.heldPath(payload).description
      for name in [".0", ".2", ".3"] { try RawPath(path + name).write("made of it") }
      try RawPath(path).rename(to: RawPath(path + ".1"))
    }
    guard case .renamed(let entry, let status, let message) = held else {
      throw Unexpected(event: .inspected(held, nameIsFree: false))
    }
    #expect(entry == drop.entry + ".1" && status.identity.inode == drop.inode)
    #expect(message.contains(" and 1 more in the hold"))
  }

  @Test func `a directory that a handler left is no file, and not gone either`() async throws {
    let (held, _) = try await held { harness, payload in
      try harness.heldPath(payload).removeFile()
      try RawPath(harness.heldPath(payload).description + ".d").makeDirectory()
    }
    guard case .unusable(let message) = held else { throw Unexpected(event: .inspected(held, nameIsFree: false)) }
    #expect(message.hasPrefix("the handler left '"))
  }

  // MARK: - The name in the zone

  @Test func `whether the name in the zone is free is looked for only where it matters`() async throws {
    func isFree(wantsReturn: Bool, _ change: (FlowHarness, ClaimedPayload) throws -> Void) async throws -> Bool {
      guard case .inspected(_, let isFree) = try await inspect(wantsReturn: wantsReturn, change).event else {
        return false
      }
      return isFree
    }
    #expect(try await isFree(wantsReturn: true) { _, _ in })
    #expect(try await !isFree(wantsReturn: false) { _, _ in })
    #expect(try await !isFree(wantsReturn: true) { harness, _ in try harness.write("Z/a.txt") })
    #expect(try await !isFree(wantsReturn: true) { harness, _ in try harness.path("Z").removeDirectory() })
  }

  private struct Unexpected: Error { var event: Delivery.Event }
}
