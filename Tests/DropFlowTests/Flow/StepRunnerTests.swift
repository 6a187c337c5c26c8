import DropSystem
import Support
import Testing

@testable import DropEngine
@testable import DropFlow

/// Steps that all stages have, shared by the payloads of a batch.
@Suite(.timeLimit(.minutes(1))) struct StepRunnerTests {
  /// A payload of the zone that is about to be claimed.
  private func claiming(_ name: String, _ harness: FlowHarness) throws -> ClaimedPayload {
    let release = try harness.release(name)
    let place = try ClaimPlace(harness.context, at: RawPath(bytes: []), wantsSnapshots: false)
    var parents: [RawPath: Directory] = [:]
    return try ClaimSteps(context: harness.context, place: place).open(release, &parents).get()
  }

  @Test func `a batch shares its commits, and stops before the step that its stage does itself`() async throws {
    try await FlowHarness.with { harness in
      var payloads = try (1...20).map { try claiming("\($0).txt", harness) }
      #expect(payloads.allSatisfy { $0.delivery.step == .sync(.origin) })
      let before = try harness.transactionsCount()
      #expect(await harness.runner.run(&payloads, in: .claim).isEmpty)
      #expect(payloads.allSatisfy { $0.delivery.step == .rename(.origin, to: .hold) })
      #expect(try harness.ledger.drops().count == 20)
      #expect(try harness.transactionsCount() == before + 1)
    }
  }

  @Test func `one round of commits is no more than that`() async throws {
    try await FlowHarness.with { harness in
      var payloads = [try await harness.judged("a.txt"), try await harness.held("b.txt")]
      for event: Delivery.Event in [.chosen(.test(payloads[0]))] { payloads[0].receive(event) }
      #expect(payloads[0].delivery.step.kind == .commit)
      _ = await harness.runner.runOnce(&payloads, in: .place)
      #expect(payloads[0].delivery.step == .rename(.hold, to: .destination))
      #expect(payloads[1].delivery.step == .check && harness.names("B").isEmpty)
    }
  }

  @Test func `payloads of other stages are left alone`() async throws {
    try await FlowHarness.with { harness in
      var payloads = [try claiming("a.txt", harness)]
      #expect(await harness.runner.run(&payloads, in: .receipts).isEmpty)
      #expect(payloads[0].delivery.step == .sync(.origin))
    }
  }

  @Test func `a ledger that cannot be written parks its batch, and the zone hears of it`() async throws {
    try await FlowHarness.with { harness in
      var payloads = [try await harness.judged("a.txt"), try await harness.judged("b.txt")]
      for index in payloads.indices { payloads[index].receive(.chosen(.test(payloads[index]))) }
      harness.ledger.close()
      #expect(await harness.runner.run(&payloads, in: .place).isEmpty)
      #expect(payloads.allSatisfy { $0.delivery.step == .parked } && harness.told.told.errors.count == 1)
      #expect(harness.names("B.hold").count == 2 && harness.names("B").isEmpty)
    }
  }

  @Test func `a file that is to be synced and not open is opened in the hold, or its step has failed`() async throws {
    try await FlowHarness.with { harness in
      var payloads = [try await harness.judged("a.txt"), try await harness.judged("b.txt")]
      for index in payloads.indices {
        var destination = Delivery.Destination.test(payloads[index])
        destination.changed = payloads[index].drop.changed
        payloads[index].receive(.chosen(destination))
        #expect(payloads[index].delivery.step == .sync(.hold) && payloads[index].file == nil)
      }
      try harness.heldPath(payloads[1]).removeFile()
      _ = await harness.runner.run(&payloads, in: .place)
      #expect(payloads[0].delivery.stage == .receipts && harness.text("B/a.txt") == "hello")
      #expect(payloads[1].wait?.waiting == .retry)
    }
  }

  @Test func `payloads of one directory share its sync, and each hears of its own failure`() async throws {
    try await FlowHarness.with { harness in
      var payloads: [ClaimedPayload] = []
      for number in 1...3 { payloads.append(try await harness.judged("\(number).txt")) }
      for index in payloads.indices { payloads[index].receive(.chosen(.test(payloads[index]))) }
      _ = await harness.runner.run(&payloads, in: .place)
      #expect(payloads.allSatisfy { $0.delivery.step == .syncDirectory(.hold) })
      payloads[2].delivery.drop.move(toHold: harness.path("none").description)
      let events = harness.runner.files.syncDirectories(of: payloads)
      #expect(events.map(\.isDone) == [true, true, false])
    }
  }

  @Test func `a directory that went with its payload needs no sync once the receipt is written`() async throws {
    try await FlowHarness.with { harness in
      var row = try harness.row("a.txt") {
        $0.state = .placed
        $0.copyInode = 9
        $0.verdict = .accepted(message: nil)
      }
      row.move(toHold: harness.path("none").description)
      var delivery = Delivery(recovering: row, policy: harness.context.policy, afterCleanStop: true)
      delivery.receive(.found(Delivery.Found()), at: 1)
      delivery.receive(.done, at: 1)
      #expect(delivery.step == .syncDirectory(.hold))
      #expect(
        harness.runner.files.syncDirectories(of: [ClaimedPayload(delivery, time: harness.context.time)]).first?.isDone
          == true)
    }
  }

  @Test func `notes that are on the disk are told, and those that go`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt")
      var row = try harness.row("a.txt") { $0.operation = .copy }
      let original = try harness.status("Z/a.txt")
      row.original = .init(
        inode: original.identity.inode, birth: original.identity.birth, modified: original.modified,
        changed: original.changed)
      try await harness.ledger.commit([.put(row)])
      var delivery = Delivery(recovering: row, policy: harness.context.policy, afterCleanStop: true)
      var found = Delivery.Found()
      found.origin = original
      delivery.receive(.found(found), at: 1)
      delivery.receive(.done, at: 1)
      var payloads = [ClaimedPayload(delivery, time: harness.context.time)]
      _ = await harness.runner.run(&payloads, in: .recovery)
      #expect(harness.told.told.notComing == ["a.txt"])
      // It is staged as what it was before.
      #expect(harness.told.told.returns.map(\.identity) == [original.identity])
      #expect(harness.told.told.returns.first?.origin.id == row.id)
    }
  }
}

extension FlowHarness {
  /// How many transactions the ledger's log has; the last frame of each says how large the database is.
  fileprivate func transactionsCount() throws -> Int {
    let log = try RawPath(ledger.path + "-wal").contents()
    return stride(from: 32, to: log.count, by: 24 + 4096).count { log[($0 + 4)..<($0 + 8)].contains { $0 != 0 } }
  }
}

extension Delivery.Destination {
  /// The payload's own name in its box.
  fileprivate static func test(_ payload: ClaimedPayload) -> Delivery.Destination {
    .init(
      root: payload.delivery.rootPath, directory: payload.drop.location.parent,
      name: payload.drop.location.lastComponent, number: 0, replaces: false)
  }
}
