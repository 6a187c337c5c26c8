import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct RecoveryStageTests {
  /// What recovery makes of a row of the ledger.
  private func recover(
    _ row: Drop, _ harness: FlowHarness
  ) async throws -> (payload: ClaimedPayload, receipts: [ReceiptRecord]) {
    try await harness.ledger.commit([.put(row)])
    let delivery = Delivery(recovering: row, policy: harness.context.policy, afterCleanStop: false)
    return await RecoveryStage(harness.context, harness.runner).run(
      ClaimedPayload(delivery, time: harness.context.time))
  }

  private func placing(
    _ harness: FlowHarness, _ verdict: Drop.Verdict = .accepted(message: nil)
  ) throws -> Drop {
    try harness.row("sub/a.txt") {
      $0.state = .placing
      $0.verdict = verdict
      $0.destinationRoot = $0.isAccepted ? $0.boxPath : $0.rejectsPath
      $0.destinationDirectory = "sub"
      $0.destinationName = "a.txt"
    }
  }

  // MARK: - Rows

  @Test func `a claimed payload in the hold is judged again`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("a.txt")
      try harness.write("Z/a.txt", "another")
      #expect(try await recover(row, harness).payload.delivery.stage == .judge)
      #expect(harness.text("Z/a.txt") == "another")
    }
  }

  @Test func `a claim that did not reach the hold leaves its payload in the zone`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("sub/a.txt") { $0.attempts = 2 }
      try harness.path("Z/sub").makeDirectory()
      try harness.path("B.hold/\(row.entry)").rename(to: harness.path("Z/sub/a.txt"))
      let recovered = try await recover(row, harness).payload
      guard case .leftInZone(let count?) = recovered.delivery.step else { throw Unexpected() }
      #expect(count.attempts == 2 && harness.text("Z/sub/a.txt") == "hello")
      #expect(try harness.ledger.drops().isEmpty && harness.ledger.attempts(in: "z") == [count])
    }
  }

  @Test func `a payload in zone and hold keeps the hold's name`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("a.txt")
      try harness.path("B.hold/\(row.entry)").makeHardLink(harness.path("Z/a.txt"))
      #expect(try await recover(row, harness).payload.delivery.stage == .judge)
      #expect(harness.names("Z").isEmpty && harness.names("B.hold") == [row.entry])
    }
  }

  @Test func `a payload in hold and box has its receipt, and one name`() async throws {
    try await FlowHarness.with { harness in
      let row = try placing(harness)
      try harness.path("B/sub").makeDirectory()
      try harness.path("B.hold/\(row.entry)").makeHardLink(harness.path("B/sub/a.txt"))
      var recovered = [try await recover(row, harness).payload]
      #expect(await harness.runner.run(&recovered, in: .receipts).map(\.place) == [harness.path("B/sub/a.txt")])
      #expect(harness.names("B.hold").isEmpty && harness.names("B/sub") == ["a.txt"])
    }
  }

  @Test func `a payload that its reader took from the box was delivered, without a place`() async throws {
    try await FlowHarness.with { harness in
      let row = try placing(harness)
      try harness.path("B.hold/\(row.entry)").rename(to: harness.path("read"))
      var recovered = [try await recover(row, harness).payload]
      let receipts = await harness.runner.run(&recovered, in: .receipts)
      #expect(receipts.map(\.outcome) == [.delivered] && receipts.first?.place == nil)
    }
  }

  @Test func `a verdict stands, and what was written for its name goes`() async throws {
    try await FlowHarness.with { harness in
      let row = try placing(harness, .rejected(.type, message: "no"))
      try harness.path("R/sub").makeDirectory()
      let rejects = try Directory(harness.path("R/sub"))
      try ReasonFile.write(
        ReceiptRecord(verdictOf: row, place: row.place, finished: 1).receipt, for: row.id, beside: "a.txt",
        in: rejects, durable: false)
      _ = consume rejects
      try harness.write("R/sub/.dropzone-\(row.id)", "half")
      let recovered = try await recover(row, harness).payload
      #expect(recovered.delivery.step == .choose(from: 0) && recovered.drop.verdict == row.verdict)
      #expect(harness.names("R/sub").isEmpty)
    }
  }

  @Test func `another's reason of that name stays`() async throws {
    try await FlowHarness.with { harness in
      let row = try placing(harness, .rejected(.type, message: "no"))
      try harness.write("R/sub/a.txt.reason.json", "{\"id\": \"another\"}")
      _ = try await recover(row, harness)
      #expect(harness.names("R/sub") == ["a.txt.reason.json"])
    }
  }

  @Test(arguments: ["Z", "B", "B.hold"])
  func `nothing is concluded while a place is not there`(place: String) async throws {
    try await FlowHarness.with { harness in
      let row = try placing(harness)
      try harness.path("B.hold/\(row.entry)").rename(to: harness.path("elsewhere"))
      try harness.path(place).rename(to: harness.path("away"))
      let waiting = try await recover(row, harness)
      #expect(waiting.payload.wait?.waiting == .blocked && waiting.receipts.isEmpty)
      #expect(try harness.ledger.drop(row.id) == row)
    }
  }

  @Test func `a mount point on which nothing is mounted says nothing`() async throws {
    try await FlowHarness.with { harness in
      await harness.context.mountPoints.remember(harness.context.settings.box)
      let row = try placing(harness)
      try harness.path("B.hold/\(row.entry)").rename(to: harness.path("elsewhere"))
      #expect(try await recover(row, harness).payload.wait?.waiting == .blocked)
    }
  }

  // MARK: - Names

  private func find(_ row: Drop, _ harness: FlowHarness) throws -> Delivery.Found {
    guard case .found(let found) = NameFinder(context: harness.context).find(row) else { throw Unexpected() }
    return found
  }

  @Test func `each name of a row is looked for where it would be`() async throws {
    try await FlowHarness.with { harness in
      let row = try placing(harness)
      var found = try find(row, harness)
      #expect(found.held?.identity.inode == row.inode && found.origin == nil && found.destination == nil)
      #expect(found.isHoldThere && found.isOriginThere && found.isBoxThere && found.isDestinationThere)
      for name in ["Z/sub/a.txt", "B/sub/a.txt", "B/sub/.dropzone-\(row.id)"] { try harness.write(name) }
      found = try find(row, harness)
      #expect(try found.origin == harness.status("Z/sub/a.txt"))
      #expect(try found.destination == harness.status("B/sub/a.txt"))
      #expect(try found.temporary == harness.status("B/sub/.dropzone-\(row.id)"))
    }
  }

  @Test func `the names of an undo are those of the box and the zone`() async throws {
    try await FlowHarness.with { harness in
      for name in ["B/b.txt", "Z/sub/a.txt", "Z/sub/.dropzone-x"] { try harness.write(name) }
      var row = try harness.row("sub/a.txt") {
        $0.state = .returning
        $0.source = harness.path("B/b.txt")
      }
      var found = try find(row, harness)
      #expect(try found.held == harness.status("B/b.txt") && found.origin == harness.status("Z/sub/a.txt"))
      #expect(found.temporary == nil)
      try harness.path("Z/sub/.dropzone-x").rename(to: harness.path("Z/sub/.dropzone-\(row.id)"))
      found = try find(row, harness)
      #expect(found.temporary != nil && found.isHoldThere)
      row.source = harness.path("B/gone/b.txt")
      #expect(try !find(row, harness).isHoldThere)
    }
  }

  @Test func `the origin of a retry is among the rejects`() async throws {
    try await FlowHarness.with { harness in
      for name in ["R/sub/a.1.txt", "Z/sub/a.txt"] { try harness.write(name) }
      let row = try harness.row("sub/a.txt") { $0.source = harness.path("R/sub/a.1.txt") }
      #expect(try find(row, harness).origin == harness.status("R/sub/a.1.txt"))
      try harness.path("R").rename(to: harness.path("away"))
      let found = try find(row, harness)
      #expect(found.origin == nil && !found.isOriginThere)
    }
  }

  @Test func `a link in a directory's place is not followed, and any other error is no answer`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("outside/a.txt")
      try harness.path("Z/sub").makeLink(to: "../outside")
      #expect(try find(harness.row("sub/a.txt"), harness).origin == nil)
      let row = try harness.row(String(repeating: "n", count: 256) + "/a.txt")
      guard case .failed(let failure) = NameFinder(context: harness.context).find(row) else { throw Unexpected() }
      #expect(failure.kind == .other)
    }
  }

  // MARK: - Payloads without a row

  @Test func `what lies in the hold and is in no ledger goes to the rejects under a new name`() async throws {
    try await FlowHarness.with { harness in
      let hold = try harness.hold()
      let id = newDropID()
      try harness.write("B.hold/\(id).pdf", "lost")
      let stage = RecoveryStage(harness.context, harness.runner)
      let orphans = await stage.findOrphans()
      #expect(orphans.map(\.id) == [id] && orphans.first?.drop.location == RawPath("recovered-\(id).pdf"))
      #expect(orphans.first?.drop.verdict?.isLost == true && harness.told.told.warnings.count == 1)
      // Scans never enter a hold.
      #expect(harness.told.told.excluded.contains(hold.identity))
      let (payload, _) = await stage.run(try #require(orphans.first))
      #expect(payload.delivery.stage == .place)
      #expect(try harness.row(of: payload)?.entry == "\(id).pdf")
    }
  }

  @Test func `payloads with a row, directories and other names are no orphans, and trials go`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("a.txt")
      try await harness.ledger.commit([.put(row)])
      // A handler made this of its payload.
      try harness.write("B.hold/\(row.id).out")
      try harness.write("B.hold/readme")
      try harness.write("B.hold/\(Directory.probePrefix)1")
      try harness.path("B.hold/\(newDropID())").makeDirectory()
      #expect(await RecoveryStage(harness.context, harness.runner).findOrphans().isEmpty)
      #expect(!harness.names("B.hold").contains { $0.hasPrefix(Directory.probePrefix) })
    }
  }

  @Test func `an orphan whose id has its outcome already gets another id`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("a.txt")
      try await harness.ledger.commit([
        .addReceipt(ReceiptRecord(verdictOf: row, place: harness.path("B/a.txt"), finished: 1))
      ])
      let orphan = try #require(await RecoveryStage(harness.context, harness.runner).findOrphans().first)
      #expect(orphan.id != row.id && orphan.drop.entry == row.entry)
    }
  }

  @Test func `several files of one id are several orphans`() async throws {
    try await FlowHarness.with { harness in
      let id = newDropID()
      _ = try harness.hold()
      for name in ["\(id).txt", "\(id).out"] { try harness.write("B.hold/" + name) }
      let orphans = await RecoveryStage(harness.context, harness.runner).findOrphans()
      #expect(Set(orphans.map(\.id)).count == 2 && Set(orphans.map(\.drop.entry)).count == 2)
    }
  }

  private struct Unexpected: Error {}
}

extension Drop.Verdict {
  fileprivate var isLost: Bool {
    if case .rejected(.ledgerLost, _) = self { true } else { false }
  }
}
