import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct ClaimStageTests {
  /// What a batch comes to: payloads in the hold, and why the others stay, by name.
  private func claim(
    _ releases: [Release], _ harness: FlowHarness, _ conditions: ClaimStage.Conditions = .init()
  ) async -> (claimed: [ClaimedPayload], stays: [String: Delivery.Refusal]) {
    let stage = ClaimStage(harness.context, harness.runner)
    var refused: [ClaimRefusal] = []
    let claimed = await stage.run(releases, conditions) { refused = $0.refused }
    return (
      claimed,
      Dictionary(refused.map { ($0.key.name.description, $0.reason) }, uniquingKeysWith: { first, _ in first })
    )
  }

  @Test func `a payload is renamed into the hold, and its row is in the ledger`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("sub/a.txt", "text")
      let (claimed, stays) = await claim([release], harness)
      let payload = try #require(claimed.first)
      #expect(stays.isEmpty && payload.delivery.stage == .judge)
      #expect(harness.names("Z/sub").isEmpty && harness.names("B.hold") == [payload.drop.entry])
      let row = try #require(try harness.row(of: payload))
      #expect(row.state == .claiming && row.location == "sub/a.txt" && row.size == 4)
      #expect(row.inode == release.payload.status.identity.inode)
      #expect(payload.drop.entry == "\(release.payload.id).txt")
      // What staging knows it by is of no use any more.
      #expect(payload.key == nil && payload.marker == nil && payload.parent == nil && payload.file != nil)
    }
  }

  @Test func `a batch comes whole into the hold, whatever directories it is from`() async throws {
    try await FlowHarness.with { harness in
      let releases = try (1...40).map { try harness.release("\($0 % 3)/\($0).txt", "\($0)") }
      let (claimed, stays) = await claim(releases, harness)
      #expect(stays.isEmpty && claimed.map(\.id) == releases.map(\.payload.id))
      #expect(harness.names("B.hold").count == 40)
      #expect(try harness.ledger.drops().count == 40)
    }
  }

  @Test func `the file that announced a payload goes with it, and stays with a copy`() async throws {
    try await FlowHarness.with { harness in
      for (name, operation) in [("a.txt", DeliveryRules.Operation.move), ("b.txt", .copy)] {
        try harness.write("Z/\(name).done", "")
        let release = try harness.release(name, operation: operation) { $0.marker = RawPath("\(name).done") }
        _ = await claim([release], harness)
      }
      #expect(harness.names("Z") == ["b.txt", "b.txt.done"])
    }
  }

  @Test func `what the release says of a payload is in its row`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("a.txt") {
        $0.destination = "paid"
        $0.refusal = "not today"
        $0.payload.attempts = 2
        $0.payload.ordinal = 7
        $0.payload.isForced = true
        $0.payload.isAfterCrash = true
      }
      let payload = try #require(await claim([release], harness).claimed.first)
      let row = try #require(try harness.row(of: payload))
      #expect(row.destinationDirectory == "paid" && row.attempts == 2 && row.ordinal == 7)
      #expect(row.isForced && row.afterCrash && row.evidence == .lease)
      #expect(row.holdIdentity == (try harness.hold().identity.stored))
    }
  }

  // MARK: - Copies

  @Test func `of a copy the hold gets a snapshot with its attributes, and the original stays`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("a.txt", "text", operation: .copy)
      let payload = try #require(await claim([release], harness).claimed.first)
      #expect(harness.text("Z/a.txt") == "text" && harness.text("B.hold/\(payload.drop.entry)") == "text")
      let (original, snapshot) = (try harness.status("Z/a.txt"), try harness.status("B.hold/\(payload.drop.entry)"))
      #expect(snapshot.identity != original.identity && snapshot.modified == original.modified)
      #expect(snapshot.mode == original.mode)
      #expect(payload.drop.inode == snapshot.identity.inode)
      #expect(payload.drop.original?.inode == original.identity.inode && payload.drop.operation == .copy)
    }
  }

  @Test func `a snapshot is made on the side of the box, and a leftover of its name goes`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let release = try harness.release("a.txt", "text", operation: .copy)
      let hold = harness.box.parent.appending("B.hold")
      try hold.makeDirectory()
      try hold.appending(RawPath("\(release.payload.id).txt")).write("half")
      let payload = try #require(await claim([release], harness).claimed.first)
      #expect(payload.drop.holdPath == harness.box.description + ".hold")
      #expect(String(decoding: try harness.heldPath(payload).contents(), as: UTF8.self) == "text")
    }
  }

  @Test func `a copy for which the box has no room stays, and nothing is written`() async throws {
    try await FlowHarness.with { harness in
      var conditions = ClaimStage.Conditions()
      conditions.promisedBytes = .max / 2
      let (claimed, stays) = await claim(
        [try harness.release("a.txt", operation: .copy), try harness.release("b.txt", operation: .copy)], harness,
        conditions)
      #expect(claimed.isEmpty && stays["a.txt"]?.waiting == .blocked)
      #expect(stays["b.txt"]?.detail.hasPrefix("box full (needs ") == true)
      #expect(try harness.ledger.drops().isEmpty && harness.names("B.hold").isEmpty)
      // A rename needs none.
      #expect(await claim([try harness.release("c.txt")], harness, conditions).claimed.count == 1)
    }
  }

  // MARK: - What stays in the zone

  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var change: @Sendable (FlowHarness) throws -> Void
  }

  @Test(arguments: [
    Change(testDescription: "written") { try $0.write("Z/a.txt", "other") },
    Change(testDescription: "gone") { try $0.path("Z/a.txt").rename(to: $0.path("away")) },
    Change(testDescription: "replaced") {
      try $0.write("b.txt")
      try Directory.working.rename($0.path("b.txt"), to: $0.path("Z/a.txt"), in: .working, replacing: true)
    },
    Change(testDescription: "a directory now") {
      try $0.path("Z/a.txt").rename(to: $0.path("away"))
      try $0.path("Z/a.txt").makeDirectory()
    },
    Change(testDescription: "mode set") { try $0.path("Z/a.txt").setMode(0o600) },
  ])
  func `a payload that is no longer what staging saw stays, and is inspected again`(_ change: Change) async throws {
    try await FlowHarness.with { harness in
      let releases = [try harness.release("a.txt"), try harness.release("b.txt")]
      try change.change(harness)
      let before = harness.names("Z")
      let (claimed, stays) = await claim(releases, harness)
      #expect(stays == ["a.txt": .changed] && claimed.map(\.drop.location) == ["b.txt"])
      #expect(harness.names("Z") == before.filter { $0 != "b.txt" })
    }
  }

  @Test func `a payload that is open for writing stays`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("a.txt")
      let writer = try harness.openForWriting("Z/a.txt")
      let (claimed, stays) = await claim([release], harness)
      #expect(claimed.isEmpty && stays["a.txt"] == .changed && harness.names("Z") == ["a.txt"])
      #expect(try harness.ledger.drops().isEmpty)
      _ = consume writer
    }
  }

  @Test func `another file that came along with the rename goes back to its name`() async throws {
    try await FlowHarness.with { harness in
      var release = try harness.release("a.txt", "mine")
      release.file = try Directory(harness.path("Z")).openRegular(named: "a.txt")?.file
      try harness.path("Z/a.txt").rename(to: harness.path("Z/b.txt"))
      let file = try #require(release.file)
      release.payload.status = try file.status()
      try harness.write("Z/a.txt", "another")
      let (claimed, stays) = await claim([release], harness)
      #expect(claimed.isEmpty && stays["a.txt"] == .changed)
      #expect(harness.text("Z/a.txt") == "another" && harness.text("Z/b.txt") == "mine")
      #expect(harness.names("B.hold").isEmpty)
      #expect(try harness.ledger.drops().isEmpty)
    }
  }

  @Test func `nothing is taken from a directory that has left the zone`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("sub/a.txt")
      let place = try ClaimPlace(harness.context, at: RawPath(bytes: []), wantsSnapshots: false)
      let steps = ClaimSteps(context: harness.context, place: place)
      var parents: [RawPath: Directory] = [:]
      let payload = try steps.open(release, &parents).get()
      #expect(steps.goneParents(of: [payload]).isEmpty)
      try harness.path("Z/sub").rename(to: harness.path("outside"))
      #expect(steps.goneParents(of: [payload]) == ["sub"])
      // Another directory of its name is not it.
      try harness.path("Z/sub").makeDirectory()
      #expect(steps.goneParents(of: [payload]) == ["sub"])
      #expect(harness.names("outside") == ["a.txt"])
    }
  }

  @Test func `no link is followed below the zone`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("sub/a.txt")
      try harness.path("Z/sub").rename(to: harness.path("outside"))
      try harness.path("Z/sub").makeLink(to: "../outside")
      let (claimed, stays) = await claim([release], harness)
      #expect(claimed.isEmpty && stays["a.txt"] != nil && harness.names("outside") == ["a.txt"])
    }
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has(program: "chattr")))
  func `an immutable payload cannot be taken, which is said`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt")
      let chattr = try await Program.run("/usr/bin/chattr", ["+i", harness.path("Z/a.txt")])
      try #require(chattr.status == 0)
      let (claimed, stays) = await claim([try harness.release("a.txt", nil)], harness)
      _ = try await Program.run("/usr/bin/chattr", ["-i", harness.path("Z/a.txt")])
      #expect(claimed.isEmpty && stays["a.txt"]?.waiting == .cannotTake)
      #expect(stays["a.txt"]?.detail == "it is immutable or append-only")
    }
  }

  // MARK: - Places

  @Test(arguments: [
    Change(testDescription: "box missing") { try $0.path("B").rename(to: $0.path("away")) },
    Change(testDescription: "zone missing") { try $0.path("Z").rename(to: $0.path("away")) },
    Change(testDescription: "no hold") {
      for name in ["B.hold", "Z.hold", "Z/.dropzone-hold"] { try $0.write(name) }
    },
  ])
  func `without its places a batch stays, and each of it says why`(_ change: Change) async throws {
    try await FlowHarness.with { harness in
      let releases = [try harness.release("a.txt"), try harness.release("b.txt")]
      try change.change(harness)
      let (claimed, stays) = await claim(releases, harness)
      #expect(claimed.isEmpty && stays.count == 2 && stays.values.allSatisfy { $0.waiting == .blocked })
      #expect(stays.values.allSatisfy { $0.detail.contains(harness.root.description) })
      #expect(try harness.ledger.drops().isEmpty)
    }
  }

  @Test func `a hold on another file system is none`() async throws {
    try await Scratch.with(in: "/dev/shm") { other in
      try await FlowHarness.with({ $0.hold = other.string + "/hold" }) { harness in
        let (claimed, stays) = await claim([try harness.release("a.txt")], harness)
        #expect(claimed.isEmpty && stays["a.txt"]?.waiting == .blocked)
        #expect(stays["a.txt"]?.detail.hasPrefix("no place to hold payloads: '\(other.string)/hold'") == true)
        // The trial leaves nothing behind.
        #expect(!other.path.appending("hold").exists)
      }
    }
  }

  @Test func `while the zone is in trouble nothing is touched`() async throws {
    try await FlowHarness.with { harness in
      var conditions = ClaimStage.Conditions()
      conditions.trouble = "the box is full"
      let (claimed, stays) = await claim([try harness.release("a.txt")], harness, conditions)
      #expect(claimed.isEmpty && stays["a.txt"] == Delivery.Refusal(.blocked, "the box is full"))
      #expect(!harness.path("B.hold").exists)
    }
  }

  @Test func `a payload whose intent cannot be committed stays`() async throws {
    try await FlowHarness.with { harness in
      let release = try harness.release("a.txt")
      harness.ledger.close()
      let (claimed, stays) = await claim([release], harness)
      #expect(claimed.isEmpty && stays["a.txt"]?.waiting == .blocked && harness.names("Z") == ["a.txt"])
      #expect(harness.told.told.errors.count == 1)
    }
  }

  @Test func `a stage that is closed claims nothing more`() async throws {
    try await FlowHarness.with { harness in
      let stage = ClaimStage(harness.context, harness.runner)
      await stage.close()
      var refused: [ClaimRefusal] = []
      let claimed = await stage.run([try harness.release("a.txt")], .init()) { refused = $0.refused }
      #expect(claimed.isEmpty && refused.map(\.reason) == [.changed] && harness.names("Z") == ["a.txt"])
    }
  }
}
