import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct JudgeStageTests {
  private static let pdf = "%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"

  private func judge(
    _ payloads: [ClaimedPayload], _ harness: FlowHarness
  ) async -> (payloads: [ClaimedPayload], receipts: [ReceiptRecord]) {
    await JudgeStage(harness.context, harness.runner).run(payloads)
  }

  // MARK: - Types

  @Test(arguments: [
    ("a.pdf", pdf, "application/pdf", Grade.proved), ("a.txt", "plain words\n", "text/plain", .proved),
    ("a.pdf", "plain words\n", "text/plain", .contradicted), ("a.csv", "a,b\n1,2\n3,4\n", "text/csv", .narrowed),
  ])
  func `a payload is what its content says`(name: String, text: String, type: String, grade: Grade) async throws {
    try await FlowHarness.with { harness in
      let payload = try #require(await judge([harness.held(name, text)], harness).payloads.first)
      #expect(payload.drop.type == type && payload.drop.grade == grade && payload.delivery.stage == .place)
      #expect(payload.drop.isAccepted)
    }
  }

  @Test func `a payload of another type than the zone takes goes to the rejects`() async throws {
    try await FlowHarness.with(types: ["application/pdf"]) { harness in
      let judged = await judge(
        [try await harness.held("a.pdf", Self.pdf), try await harness.held("b.pdf", "words\n")], harness)
      #expect(judged.payloads.map(\.drop.isAccepted) == [true, false])
      #expect(
        judged.payloads[1].drop.verdict
          == .rejected(
            .type, message: "its content is text/plain, its name says application/pdf; this zone takes application/pdf")
      )
    }
  }

  @Test func `what was read at the release is not read again, and counts only for that check`() async throws {
    try await FlowHarness.with { harness in
      var payload = try await harness.held("a.txt", "words\n")
      payload.typed = TypedContent(type: "image/png", claimedType: nil, grade: .proved)
      let judged = try #require(await judge([payload], harness).payloads.first)
      #expect(judged.drop.type == "image/png" && judged.typed == nil)
    }
  }

  @Test(arguments: [
    (DeliveryRules.DigestRule.auto, true), (.yes, true), (.no, false),
  ])
  func `the digest of a small payload is computed unless the zone wants none`(
    rule: DeliveryRules.DigestRule, isThere: Bool
  ) async throws {
    try await FlowHarness.with({ $0.delivery.digest = rule }) { harness in
      let payload = try #require(await judge([harness.held("a.txt", "hello")], harness).payloads.first)
      let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
      #expect(payload.drop.sha256 == (isThere ? hello : nil))
    }
  }

  @Test func `a large payload is digested only where the zone wants it`() async throws {
    let text = String(repeating: "0123456789abcdef", count: (1 << 16) + 1)
    for (rule, isThere) in [(DeliveryRules.DigestRule.auto, false), (.yes, true)] {
      try await FlowHarness.with({ $0.delivery.digest = rule }) { harness in
        let payload = try #require(await judge([harness.held("a.txt", text)], harness).payloads.first)
        #expect((payload.drop.sha256 != nil) == isThere)
      }
    }
  }

  // MARK: - Rules

  @Test(.enabled(if: Machine.isRoot))
  func `a hard link to another's file is refused, unless its owner could have dropped it`() async throws {
    try await FlowHarness.with { harness in
      for (mode, code) in [(UInt32(0o755), ReasonCode?.some(.hardLinked)), (0o777, nil)] {
        try harness.path("Z").setMode(mode)
        let payload = try await harness.held("a.txt") {
          let path = RawPath($0.holdPath).appending(RawPath($0.entry))
          try path.setOwner(12345)
          try path.makeHardLink(harness.path("other-\(mode)"))
        }
        let judged = try #require(await judge([payload], harness).payloads.first)
        #expect((judged.drop.verdict == .accepted(message: nil)) == (code == nil))
        if let code, case .rejected(let given, _)? = judged.drop.verdict { #expect(given == code) }
      }
    }
  }

  @Test func `payloads with a handler close what they have open and wait for it`() async throws {
    try await FlowHarness.with(handler: ScriptedHandler(.accepted(HandlerAnswer()))) { harness in
      let payload = try #require(await judge([harness.held()], harness).payloads.first)
      #expect(payload.delivery.step == .awaitWorker && payload.file == nil && payload.delivery.stage == .handler)
    }
  }

  @Test func `the configuration is asked about a reject that is tried again`() async throws {
    for (reply, place) in [
      (LiveReply.bound(.take(.move, in: "late")), "B/late/a.txt"), (.bound(.refuse("no")), "R/a.txt"),
      (.nobody, "B/a.txt"),
    ] {
      try await FlowHarness.with { harness in
        harness.told.reply(reply)
        var payload = try await harness.held("a.txt") {
          $0.source = RawPath(harness.context.settings.rejects + "/a.txt")
        }
        payload.delivery = payload.delivery.asking()
        let judged = try #require(await judge([payload], harness).payloads.first)
        #expect(judged.drop.isAccepted == place.hasPrefix("B"))
        #expect(judged.delivery.wishes.directory == (place.hasPrefix("B/late") ? "late" : nil))
      }
    }
    for reply in [LiveReply.late, .bound(.stay("slow"))] {
      try await FlowHarness.with { harness in
        harness.told.reply(reply)
        var payload = try await harness.held("a.txt") {
          $0.source = RawPath(harness.context.settings.rejects + "/a.txt")
        }
        payload.delivery = payload.delivery.asking()
        #expect(await judge([payload], harness).payloads.first?.wait?.waiting == .retry)
      }
    }
  }

  // MARK: - What cannot be read

  @Test func `a payload that is gone from the hold was withdrawn`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.held()
      try harness.heldPath(payload).removeFile()
      var (payloads, _) = await judge([payload], harness)
      #expect(payloads[0].delivery.stage == .receipts)
      #expect(await harness.runner.run(&payloads, in: .receipts).map(\.outcome) == [.withdrawn])
      #expect(try harness.row(of: payload) == nil)
    }
  }

  @Test func `a payload whose hold is not there waits for it`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.held()
      try harness.path("B.hold").rename(to: harness.path("away"))
      let waiting = try #require(await judge([payload], harness).payloads.first)
      #expect(waiting.wait?.waiting == .blocked)
      #expect(try harness.row(of: payload)?.state == .claiming)
      try harness.path("away").rename(to: harness.path("B.hold"))
      var payloads = [waiting]
      payloads[0].resume()
      #expect(await judge(payloads, harness).payloads.first?.drop.isAccepted == true)
    }
  }

  @Test func `another directory in the hold's place is not the hold`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.held()
      try harness.path("B.hold").rename(to: harness.path("away"))
      try harness.path("B.hold").makeDirectory()
      #expect(await judge([payload], harness).payloads.first?.wait?.waiting == .blocked)
    }
  }

  // MARK: - Order

  @Test func `batches are judged in turn, and each goes on as soon as it is judged`() async throws {
    try await FlowHarness.with { harness in
      let stage = JudgeStage(harness.context, harness.runner)
      var done: [[String]] = []
      await stage.runInTurn([try await harness.held("1.txt")]) { payloads, _ in
        done.append(payloads.map(\.drop.location.description))
        guard done.count == 1 else { return }
        // It comes while the first is finished, and does not run inside it.
        if let second = try? await harness.held("2.txt") {
          await stage.runInTurn([second]) { _, _ in done.append(["inside"]) }
        }
      }
      #expect(done == [["1.txt"], ["2.txt"]] && stage.count == 0)
    }
  }

  @Test func `what an earlier process had in hand is read one by one, each noted before`() async throws {
    try await FlowHarness.with { harness in
      var payloads: [ClaimedPayload] = []
      for number in 1...3 {
        let row = try harness.row("\(number).txt")
        try await harness.ledger.commit([.put(row)])
        var payload = ClaimedPayload(
          Delivery(recovering: row, policy: harness.context.policy, afterCleanStop: false), time: harness.context.time)
        var found = Delivery.Found()
        found.held = try harness.hold().directory.status(of: RawPath(row.entry))
        payload.receive(.found(found))
        payload.receive(.done)
        payloads.append(payload)
      }
      var judged: [ClaimedPayload] = []
      await JudgeStage(harness.context, harness.runner).runOneByOne(payloads) { done, _ in judged += done }
      #expect(judged.map(\.id) == payloads.map(\.id) && judged.allSatisfy { $0.delivery.stage == .place })
      // Each start was taken back once its payload was read.
      #expect(try payloads.map { try harness.row(of: $0)?.starts } == [0, 0, 0])
      // The turn is free for other zones.
      _ = await harness.context.suspects.take()
    }
  }

  @Test func `a payload that the daemon may have died on has a start in the ledger while it is read`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("a.txt")
      try await harness.ledger.commit([.put(row)])
      var payloads = [
        ClaimedPayload(
          Delivery(recovering: row, policy: harness.context.policy, afterCleanStop: false), time: harness.context.time)
      ]
      var found = Delivery.Found()
      found.held = try harness.hold().directory.status(of: RawPath(row.entry))
      payloads[0].receive(.found(found))
      payloads[0].receive(.done)
      _ = await harness.runner.runOnce(&payloads, in: .judge)
      #expect(payloads[0].delivery.step == .check)
      #expect(try harness.row(of: payloads[0])?.starts == 1)
    }
  }
}

extension Delivery {
  /// The same with a zone whose configuration is asked.
  fileprivate func asking() -> Delivery {
    let policy = DeliveryPolicy(settings: policy.settings, asksHandler: false, asksConfiguration: true)
    var delivery = Delivery(claiming: drop, policy: policy)
    while delivery.step != .rename(.origin, to: .hold) { delivery.receive(.done, at: 1) }
    delivery.receive(.renamed(nil), at: 1)
    return delivery
  }
}
