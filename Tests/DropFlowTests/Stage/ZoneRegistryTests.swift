import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// The zones of a staging area, and what is published of them.
@Suite(.timeLimit(.minutes(1))) struct ZoneRegistryTests {
  private func zones(
    _ names: [String], _ harness: FlowHarness, _ settings: (inout ZoneSettings) -> Void = { _ in }
  ) throws -> [WatchedZone] {
    let places = FileSystemQueues()
    return try names.map { name in
      var changed = harness.context.settings
      changed.name = name
      changed.path = harness.path(name).description
      settings(&changed)
      let plan = try ZonePlan(settings: changed, types: [], handler: nil)
      let flow = ZoneFlow(
        plan: plan, mountPoints: harness.context.mountPoints, ledger: harness.ledger, typer: harness.context.typer,
        pool: BlockingPool(name: "flow", limit: 1), observer: harness.told, log: harness.told,
        suspects: harness.context.suspects, time: .system)
      return WatchedZone(plan, flow, at: places.make())
    }
  }

  private func registry(_ zones: [WatchedZone]) -> ZoneRegistry {
    let registry = ZoneRegistry(time: .system)
    for zone in zones { registry.insert(zone) }
    registry.endTurn { _ in false }
    return registry
  }

  @Test func `zones are listed by name, and named ones are found or missed`() async throws {
    try await FlowHarness.with { harness in
      let registry = registry(try zones(["c", "a", "b"], harness))
      #expect(registry.all.map(\.name) == ["a", "b", "c"])
      #expect(try registry.named([]).count == 3 && registry.named(["b", "a"]).map(\.name) == ["b", "a"])
      #expect(throws: ControlError.noSuchZone("d")) { try registry.named(["a", "d"]) }
      registry.remove(try #require(registry["b"]))
      #expect(registry.all.map(\.name) == ["a", "c"] && registry["b"] == nil)
    }
  }

  @Test func `a path is found in the zone that it lies in, whether or not it is a link`() async throws {
    try await FlowHarness.with { harness in
      let all = try zones(["a", "ab"], harness)
      all[0].root.resolve(to: "/elsewhere")
      let registry = registry(all)
      for (path, name, location) in [
        (harness.path("a/sub/x.txt"), "a", "sub/x.txt"), (RawPath("/elsewhere/x.txt"), "a", "x.txt"),
        (harness.path("ab/x.txt"), "ab", "x.txt"),
      ] {
        let found = registry.find(path)
        #expect(found?.zone.name == name && found?.location == RawPath(location))
      }
      for path in [harness.path("a"), harness.path("abc/x.txt"), "relative/x.txt"] {
        #expect(registry.find(path) == nil)
      }
    }
  }

  @Test func `a turn has only the zones in which something happened, each once`() async throws {
    try await FlowHarness.with { harness in
      let all = try zones(["a", "b", "c"], harness)
      let registry = registry(all)
      #expect(registry.changed.isEmpty)
      for index in [2, 0, 2] { registry.touch(all[index]) }
      registry.attend(to: all[1])
      #expect(registry.changed.map(\.name) == ["a", "b", "c"])
      #expect(all.map(\.report.hasChanged) == [true, true, true])
      registry.endTurn { $0.name == "b" }
      #expect(registry.changed.map(\.name) == ["b"])
      registry.touch(all[2])
      registry.remove(all[2])
      #expect(registry.changed.map(\.name) == ["b"])
    }
  }

  @Test func `zones are due at their last deadline, and no more`() async throws {
    try await FlowHarness.with { harness in
      let all = try zones(["a", "b", "c"], harness)
      let registry = registry(all)
      registry.setDeadline(.seconds(5), of: all[0])
      registry.setDeadline(.seconds(3), of: all[1])
      registry.setDeadline(.seconds(1), of: all[0])
      registry.setDeadline(.seconds(2), of: all[2])
      registry.remove(all[2])
      #expect(registry.nextDeadline() == .seconds(1))
      #expect(registry.takeDue(at: .seconds(4)).map(\.name) == ["a", "b"])
      #expect(registry.takeDue(at: .seconds(9)).isEmpty && registry.nextDeadline() == nil)
      // Many changes do not pile up.
      for number in 0..<1000 { registry.setDeadline(.seconds(number), of: all[0]) }
      #expect(registry.takeDue(at: .seconds(998)).isEmpty && registry.takeDue(at: .seconds(999)).count == 1)
    }
  }

  // MARK: - Publishing

  private struct Rig {
    let zones: ZoneRegistry
    let publisher: StatePublisher

    init(_ registry: ZoneRegistry, _ harness: FlowHarness) {
      zones = registry
      publisher = StatePublisher(
        zones: registry, composer: StatusComposer(tree: DirectoryTree(), typer: harness.context.typer))
    }

    func light(_ name: String, _ isLit: Bool, at now: Duration) {
      guard let zone = zones[name] else { return }
      zone.load.askedAgain = isLit ? [DropID(milliseconds: 1, high: 0, low: 1)] : []
      zones.touch(zone)
      publisher.publishTargeted(at: now)
    }
  }

  @Test func `each change of the light is published at once, and other changes ten times a second`() async throws {
    try await FlowHarness.with { harness in
      let rig = Rig(registry(try zones(["a", "b"], harness)), harness)
      let a = try #require(rig.zones["a"])
      let stream = rig.publisher.subscribe(to: [a]) { _ in }
      rig.light("a", false, at: .zero)
      for number in 1...4 { rig.light("a", !number.isMultiple(of: 2), at: .milliseconds(number)) }
      rig.light("b", true, at: .milliseconds(5))
      a.report.accepted = 7
      rig.zones.touch(a)
      rig.publisher.publish(at: .milliseconds(6))
      let due = try #require(rig.publisher.deadline(of: a))
      #expect(due >= .milliseconds(104))
      rig.publisher.publish(at: max(due, monotonicNow()))
      #expect(rig.publisher.deadline(of: a) == nil)
      rig.publisher.end()
      var seen: [(Bool, Int)] = []
      for await status in stream { seen.append((status.isTargeted, status.accepted)) }
      #expect(seen.map(\.0) == [false, false, true, false, true, false, false])
      #expect(seen.map(\.1) == [0, 0, 0, 0, 0, 0, 7])
    }
  }

  @Test func `a stream ends with the last of its zones, and those of all zones go on`() async throws {
    try await FlowHarness.with { harness in
      let rig = Rig(registry(try zones(["a", "b"], harness)), harness)
      let (a, b) = (try #require(rig.zones["a"]), try #require(rig.zones["b"]))
      let (one, all) = (rig.publisher.subscribe(to: [a]) { _ in }, rig.publisher.subscribe(to: [a, b]) { _ in })
      rig.zones.remove(a)
      rig.publisher.remove(a)
      var names: [String] = []
      for await status in one { names.append(status.name) }
      #expect(names == ["a"])
      rig.light("b", true, at: .zero)
      rig.publisher.end()
      names = []
      for await status in all { names.append(status.name) }
      #expect(names == ["a", "b", "b"])
      // Later ones see the present, and end.
      names = []
      for await status in rig.publisher.subscribe(to: [b], ended: { _ in }) { names.append(status.name) }
      #expect(names == ["b"])
    }
  }

  @Test func `nothing is put together for a stream that nobody reads any longer`() async throws {
    try await FlowHarness.with { harness in
      let rig = Rig(registry(try zones(["a"], harness)), harness)
      let a = try #require(rig.zones["a"])
      let ended = Signal()
      var stream: AsyncStream<ZoneStatus>? = rig.publisher.subscribe(to: [a]) { _ in ended.give() }
      rig.zones.touch(a)
      #expect(rig.publisher.deadline(of: a) != nil)
      _ = stream.take()
      await ended.wait()
      rig.publisher.unsubscribe(1)
      #expect(rig.publisher.deadline(of: a) == nil)
    }
  }

  // MARK: - Callers that wait

  /// What a caller is told after something has happened.
  private func answer(
    to event: Waiters.Event, after body: (inout Waiters, Int) -> Void
  ) async -> Bool {
    var waiters = Waiters()
    return await withCheckedContinuation { caller in
      let number = waiters.nextNumber()
      waiters.add(caller, number, for: event)
      body(&waiters, number)
      #expect(waiters.count == 0)
    }
  }

  @Test func `callers that wait are answered once, by what they wait for`() async throws {
    try await FlowHarness.with { harness in
      let all = try zones(["a", "b"], harness)
      #expect(await answer(to: .receipt) { waiters, _ in waiters.answerReceipts() })
      #expect(await !answer(to: .receipt) { waiters, number in waiters.give(up: number) })
      #expect(await !answer(to: .receipt) { waiters, _ in waiters.end() })
      let isQuiet = await answer(to: .quiet(all)) { waiters, number in
        waiters.answerReceipts()
        waiters.answerUnavailable()
        // Only one of the two is quiet.
        waiters.answerQuiet { $0.name == "a" }
        let count = waiters.count
        #expect(count == 1)
        waiters.give(up: number)
      }
      #expect(!isQuiet)
      #expect(await answer(to: .quiet(all)) { waiters, _ in waiters.answerQuiet { _ in true } })
      #expect(
        await answer(to: .inspected(InspectionBarrier(all, at: .zero))) { waiters, _ in waiters.answerInspected() })
      #expect(
        await answer(to: .unavailable(all[0])) { waiters, _ in
          all[0].root.unavailable = "it is gone"
          waiters.answerUnavailable()
        })
    }
  }
}
