import Testing

@testable import DropEngine

@Suite struct JudgePhaseTests {
  typealias Kind = Delivery.Failure.Kind

  private static func content(
    _ status: FileStatus? = nil, grade: Grade = .proved, matches: Bool = true, isForeignLink: Bool = false
  ) -> Delivery.Event {
    .checked(
      Delivery.Content(
        status: status, typed: TypedContent(type: "text/plain", claimedType: "text/csv", grade: grade),
        sha256: "read", typeMatches: matches, isForeignLink: isForeignLink))
  }

  // MARK: - Rules

  struct Refusal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: ReasonCode?
    var rules: @Sendable (inout ZoneSettings) -> Void = { _ in }
    var row: @Sendable (inout Drop) -> Void = { _ in }
    var content = JudgePhaseTests.content()
  }

  @Test(arguments: [
    Refusal(testDescription: "nothing against it", code: nil),
    Refusal(testDescription: "empty", code: .empty, row: { $0.size = 0 }),
    Refusal(
      testDescription: "empty, where that is allowed", code: nil, rules: { $0.accept.minSize = 0 },
      row: { $0.size = 0 }),
    Refusal(testDescription: "too small", code: .size, rules: { $0.accept.minSize = 4 }),
    Refusal(testDescription: "too large", code: .size, rules: { $0.accept.maxSize = 2 }),
    Refusal(testDescription: "one too many", code: .items, rules: { $0.accept.maxItems = 2 }, row: { $0.ordinal = 3 }),
    Refusal(
      testDescription: "the last that the session may have", code: nil, rules: { $0.accept.maxItems = 3 },
      row: { $0.ordinal = 3 }),
    Refusal(
      testDescription: "of another type", code: .type, rules: { $0.accept.types = ["application/pdf"] },
      content: content(matches: false)),
    Refusal(
      testDescription: "of the type, but unproved", code: .type, rules: { $0.accept.types = ["text/plain"] },
      content: content(grade: .unproved)),
    Refusal(testDescription: "another's file by a hard link", code: .hardLinked, content: content(isForeignLink: true)),
    Refusal(
      testDescription: "released by an operator, whatever the rules say", code: nil,
      rules: { $0.accept.maxSize = 2 }, row: { $0.isForced = true }),
    Refusal(
      testDescription: "refused at its release", code: .handler,
      row: { $0.verdict = .rejected(.handler, message: "no") }),
    Refusal(testDescription: "the daemon died on it", code: .crashes, row: { $0.starts = 3 }),
    Refusal(testDescription: "the daemon may have died on it", code: nil, row: { $0.starts = 2 }),
  ])
  func `the zone's rules decide about what was read`(_ refusal: Refusal) throws {
    var script = DeliveryScript(.move, refusal.rules, row: refusal.row).answering("check", refusal.content)
    #expect(script.finish().last == "finished")
    let receipt = try #require(script.receipts.first)
    #expect(receipt.code == refusal.code)
    #expect(receipt.outcome == refusal.code?.outcome ?? .delivered)
    #expect(receipt.type == "text/plain" && receipt.claimedType == "text/csv" && receipt.sha256 == "read")
    #expect(receipt.place == (refusal.code == nil ? "/box/a.pdf" : "/box.rejects/a.pdf"))
  }

  // MARK: - Failures

  @Test(arguments: Kind.allCases)
  func `a payload that cannot be read waits, and one that is gone was withdrawn`(kind: Kind) throws {
    let steps = try DeliveryScript(.move).after("check", kind)
    switch kind {
    case .missing:
      #expect(
        steps == ["sync directory of hold", "sync directory of origin", "commit receipt withdrawn + close", "finished"])
    case .holdMissing: #expect(Array(steps.prefix(3)) == ["wait blocked", "check", "choose 0"])
    default: #expect(Array(steps.prefix(3)) == ["wait retry", "check", "choose 0"])
    }
  }

  @Test func `why a payload cannot be read is said`() throws {
    var script = DeliveryScript(.move).failing("check", .accessDenied)
    try script.advance(to: "wait retry")
    #expect(script.delivery.step.message == "it cannot be read: why")
    var away = DeliveryScript(.move).failing("check", .holdMissing)
    try away.advance(to: "wait blocked")
    #expect(away.delivery.step.message == "its hold '/hold' is not there")
  }

  // MARK: - What is different from the row

  @Test func `what a writer made of it since the claim is committed before the verdict`() throws {
    let grown = FileStatus.test(.test(), size: 8)
    var script = DeliveryScript(.move).answering("check", Self.content(grown))
    try script.advance(to: "choose 0", after: "commit claiming")
    #expect(script.row?.size == 8)
    let waiting = DeliveryScript(.move).answering("check", Self.content(grown))
    var failed = waiting
    try failed.advance(to: "check")
    failed.perform()
    failed.report(.failed(.init(.ledgerNoRoom)))
    #expect(failed.next == "wait blocked for ledger")
    failed.perform()
    #expect(failed.next == "commit claiming")
  }

  @Test func `a start that may die on a payload is counted before it is read, and taken back once it was`() throws {
    var row = Drop.test()
    row.starts = 1
    var script = DeliveryScript(recovering: row, found: .init([.hold: .payload]))
    try script.advance(to: "check")
    #expect(script.row?.starts == 2)
    try script.advance(to: "choose 0")
    #expect(script.row?.starts == 1)
    #expect(script.delivery.isCrashSuspect)
  }

  @Test func `after a clean stop no start is counted`() {
    var row = Drop.test()
    row.starts = 2
    var script = DeliveryScript(recovering: row, found: .init([.hold: .payload]), afterCleanStop: true)
    #expect(script.drop.starts == 0 && !script.delivery.isCrashSuspect)
    #expect(script.finish().contains("commit receipt delivered + close"))
    // What is decided already has lived through its check.
    var placing = row
    placing.state = .placing
    placing.decide()
    #expect(
      DeliveryScript(recovering: placing, found: .init(), afterCleanStop: true).drop.starts == 2)
  }

  @Test func `a payload that has another size after a crash is damaged, and not delivered`() throws {
    var script = DeliveryScript(recovering: .test(), found: .init([.hold: .short]))
    #expect(script.finish().contains("commit receipt failed damaged-by-power-cut + close"))
    let receipt = try #require(script.receipts.first)
    #expect(receipt.message == "it had 3 bytes when it was taken and has 2 now")
    #expect(receipt.place == "/box.rejects/a.pdf")
  }

  // MARK: - Void verdicts

  private static func changed(size: Int64 = 8) -> Delivery.Event {
    .changedSinceJudged(.test(.test(), size: size), "changed during judgement")
  }

  @Test func `a payload that changed since it was judged is judged again, and its row says so first`() throws {
    var script = DeliveryScript(.move).answering("choose 0", Self.changed())
    try script.advance(to: "check", after: "commit claiming attempt 1")
    #expect(script.row?.size == 8 && script.row?.verdict == nil && script.row?.type == nil)
    _ = script.finish()
    #expect(script.receipts.first?.outcome == .delivered && script.receipts.first?.bytes == 8)
  }

  @Test func `a payload that changes at every attempt is set aside`() {
    var script = DeliveryScript(.move) { $0.handler.attempts = 2 }
    for _ in 1...3 { script = script.answering("choose 0", Self.changed()) }
    #expect(script.finish().last == "finished")
    #expect(script.receipts.first?.code == .changed)
    #expect(script.receipts.first?.message == "changed during judgement, 2 times")
  }

  @Test func `where a handler decides, its attempts are those that count`() {
    var script = DeliveryScript(.moveByHandler) { $0.handler.attempts = 2 }
    for _ in 1...2 { script = script.answering("choose 0", Self.changed()) }
    let steps = script.finish()
    #expect(steps.filter { $0 == "ask" }.count == 2)
    #expect(script.receipts.first?.code == .changed && script.receipts.first?.attempts == 2)
  }

  @Test(arguments: [(Kind.ledgerNoRoom, "wait blocked for ledger"), (.other, "parked")])
  func `a void verdict that cannot be committed is not asked for again`(kind: Kind, next: String) throws {
    let script = DeliveryScript(.move).answering("choose 0", Self.changed())
    #expect(try script.after("commit claiming attempt 1", kind).first == next)
  }

  // MARK: - Rejects that are tried again

  private static func retry() -> DeliveryScript {
    var drop = Drop.test()
    drop.source = "/box.rejects/a.pdf"
    return DeliveryScript(Delivery(claiming: drop, policy: .test(asksConfiguration: true)))
  }

  @Test func `the configuration is asked about a reject that is tried again`() throws {
    #expect(try Self.retry().after("configure", .configured(.take(directory: "late"))).first == "choose 0")
    var taken = Self.retry().answering("configure", .configured(.take(directory: "late")))
    _ = taken.finish()
    #expect(taken.receipts.first?.place == "/box/late/a.pdf")

    var refused = Self.retry().answering("configure", .configured(.refuse("no")))
    _ = refused.finish()
    #expect(refused.receipts.first?.code == .handler && refused.receipts.first?.message == "no")

    for event: Delivery.Event in [.configured(.wait("slow")), .failed(.init(.other, "slow"))] {
      #expect(try Array(Self.retry().after("configure", event).prefix(2)) == ["wait retry", "configure"])
    }
  }

  @Test func `the configuration is not asked about what came from the zone`() {
    var script = DeliveryScript(Delivery(claiming: .test(), policy: .test(asksConfiguration: true)))
    #expect(!script.finish().contains("configure"))
  }
}
