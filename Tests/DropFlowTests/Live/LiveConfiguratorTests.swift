import DropSystem
import Support
import Synchronization
import Testing

@testable import DropEngine
@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct LiveConfiguratorTests {
  /// A configurator, and the answers that it has given.
  private final class Rig: Sendable {
    private let state = Mutex<(answers: [LiveAnswer], releases: [Bool])>(([], []))
    private let changes = Mutex<[(count: Int, signal: Signal)]>([])

    func take(_ answers: [LiveAnswer], isRelease: Bool) {
      let count = state.withLock { state in
        state.answers += answers
        state.releases += answers.map { _ in isRelease }
        return state.answers.count
      }
      for (wanted, signal) in changes.withLock({ $0 }) where wanted <= count { signal.give() }
    }

    func answers(_ count: Int) async -> [(answer: LiveAnswer, isRelease: Bool)] {
      let signal = Signal()
      changes.withLock { $0.append((count, signal)) }
      if state.withLock({ $0.answers.count >= count }) { signal.give() }
      await signal.wait()
      return state.withLock { Array(zip($0.answers, $0.releases)) }
    }

    func configurator(_ harness: FlowHarness, _ configuration: (any LiveConfiguration)?) -> LiveConfigurator {
      LiveConfigurator(
        box: harness.context.settings.box, operation: .move, configuration: configuration,
        typer: harness.context.typer, time: .system
      ) { self.take($0, isRelease: $1) }
    }
  }

  private func question(
    _ name: String, _ harness: FlowHarness, wantsType: Bool = false, operations: Set<LiveOperation>? = nil
  ) throws -> LiveQuestion {
    LiveQuestion(
      key: PayloadKey(directory: 1, name: RawPath(name).lastComponent), id: newDropID(), location: RawPath(name),
      status: try harness.status("Z/" + name), wantsType: wantsType, operations: operations)
  }

  private func round(_ questions: [LiveQuestion], _ harness: FlowHarness) -> LiveRound {
    let items = questions.map { SessionView.Item(id: $0.id, location: $0.location, bytes: $0.status.size) }
    return LiveRound(
      root: harness.path("Z").description,
      view: SessionView(
        id: newDropID(), phase: .active, location: questions.last?.location ?? "", items: items,
        itemsCount: items.count, bytes: 0),
      questions: questions)
  }

  @Test func `each payload of a round is asked about, and only a release binds`() async throws {
    try await FlowHarness.with { harness in
      for name in ["a.txt", "b.txt"] { try harness.write("Z/" + name) }
      let rig = Rig()
      let configurator = rig.configurator(
        harness, ScriptedConfiguration { _ in LiveVerdict(operation: .move, acceptedCount: 1) })
      let questions = try ["a.txt", "b.txt"].map { try question($0, harness) }
      configurator.ask(round(questions, harness))
      #expect(await rig.answers(2).map(\.answer.binding) == [nil, nil])
      configurator.askAtRelease(round(questions, harness))
      let bound = await rig.answers(4).suffix(2)
      #expect(bound.map(\.isRelease) == [true, true])
      #expect(bound.map(\.answer.binding) == [.take(.move, in: nil), .stay("the zone takes one at a time")])
    }
  }

  @Test func `types are read where they are wanted, and are in the view that the configuration sees`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/sub/a.txt", "plain words\n")
      try harness.write("Z/b.txt", "plain words\n")
      let seen = Mutex<[String?]>([])
      let rig = Rig()
      let configurator = rig.configurator(
        harness, SeeingConfiguration { view in seen.withLock { $0 = view.items.map(\.type) } })
      configurator.ask(
        round([try question("sub/a.txt", harness, wantsType: true), try question("b.txt", harness)], harness))
      #expect(await rig.answers(2).map(\.answer.typed?.type) == ["text/plain", nil])
      #expect(seen.withLock { $0 } == ["text/plain", nil])
    }
  }

  @Test func `a payload that has changed since staging saw it is not typed`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt", "plain words\n")
      let old = try question("a.txt", harness, wantsType: true)
      try harness.write("Z/a.txt", "other words\n\n")
      let rig = Rig()
      // Without a configuration only types are wanted.
      rig.configurator(harness, nil).ask(round([old], harness))
      let answer = await rig.answers(1).first?.answer
      #expect(answer?.typed == nil && answer?.verdict == nil)
    }
  }

  @Test func `while the configuration is busy, newer questions replace older ones, and releases come first`()
    async throws
  {
    try await FlowHarness.with { harness in
      for name in ["1.txt", "2.txt", "3.txt", "4.txt"] { try harness.write("Z/" + name) }
      let questions = try (1...4).map { try question("\($0).txt", harness) }
      let isBusy = Signal()
      let goOn = Mutex(false)
      let rig = Rig()
      let configurator = rig.configurator(
        harness,
        ScriptedConfiguration { location in
          if location == "1.txt" {
            isBusy.give()
            until { goOn.withLock { $0 } }
          }
          return LiveVerdict(operation: .move)
        })
      configurator.ask(round([questions[0]], harness))
      await isBusy.wait()
      configurator.ask(round([questions[1], questions[2]], harness))
      configurator.ask(round([questions[2]], harness))
      configurator.askAtRelease(round([questions[3]], harness))
      goOn.withLock { $0 = true }
      let order = await rig.answers(4).map { $0.answer.question.location.description }
      #expect(order == ["1.txt", "4.txt", "3.txt", "2.txt"])
    }
  }

  @Test func `a configurator that is closed answers nothing more`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt")
      let rig = Rig()
      let configurator = rig.configurator(harness, nil)
      configurator.close()
      configurator.ask(round([try question("a.txt", harness)], harness))
      let other = rig.configurator(harness, nil)
      other.ask(round([try question("a.txt", harness)], harness))
      #expect(await rig.answers(1).count == 1)
    }
  }

  // MARK: - What a source permits

  @Test func `a payload may be moved where it can be removed, and its question may say otherwise`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt")
      var directories = LiveDirectories(zone: harness.path("Z").description)
      #expect(directories.operations(of: try question("a.txt", harness)) == [.move, .copy])
      var immutable = try question("a.txt", harness)
      immutable.status.isImmutable = true
      #expect(directories.operations(of: immutable) == [.copy])
      var elsewhere = LiveDirectories(zone: harness.path("none").description)
      #expect(elsewhere.operations(of: try question("a.txt", harness)) == [.copy])

      let seen = Mutex<Set<LiveOperation>>([])
      let rig = Rig()
      let configurator = rig.configurator(
        harness, SeeingConfiguration(operations: { operations in seen.withLock { $0 = operations } }))
      configurator.ask(round([try question("a.txt", harness, operations: [.move])], harness))
      _ = await rig.answers(1)
      #expect(seen.withLock { $0 } == [.move])
    }
  }

  @Test func `types are read again while a payload grows, and not once its head is known`() throws {
    var zone = LiveZone(
      number: 1,
      configurator: LiveConfigurator(
        box: "/none", operation: .move, configuration: nil, typer: try ContentTyper(), time: .system
      ) { _, _ in },
      asksConfiguration: false)
    let typed = TypedContent(type: .plainText, claimedType: nil, grade: .proved)
    func payload(_ size: Int64) -> StagedPayload {
      StagedPayload(
        id: DropID(milliseconds: 1, high: 0, low: 1),
        status: FileStatus(kind: .regular, identity: FileIdentity(device: 1, inode: 1, birth: 1), size: size),
        name: .ordinary, evidence: .lease, firstSeen: 1, cameComplete: true, at: .zero)
    }
    #expect(zone.wantsType(of: payload(1)) && !zone.wantsType(of: payload(0)))
    let id = payload(1).id
    zone.types[id] = (typed, 1)
    #expect(!zone.wantsType(of: payload(1)) && zone.wantsType(of: payload(2)))
    zone.types[id] = (typed, LiveZone.head)
    #expect(!zone.wantsType(of: payload(LiveZone.head + 1)))
    zone.forget(id)
    #expect(zone.wantsType(of: payload(1)))
  }

  private struct SeeingConfiguration: LiveConfiguration {
    var view: @Sendable (SessionView) -> Void = { _ in }
    var operations: @Sendable (Set<LiveOperation>) -> Void = { _ in }

    init(_ view: @escaping @Sendable (SessionView) -> Void) { self.view = view }
    init(operations: @escaping @Sendable (Set<LiveOperation>) -> Void) { self.operations = operations }

    func asking(in view: SessionView) -> (_ location: RawPath, _ operations: Set<LiveOperation>) -> LiveVerdict {
      self.view(view)
      return { _, operations in
        self.operations(operations)
        return LiveVerdict(operation: .move)
      }
    }
  }
}
