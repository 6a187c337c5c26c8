import Testing

@testable import DropEngine

@Suite struct AskPhaseTests {
  typealias Kind = Delivery.Failure.Kind

  enum Held: String, CaseIterable, Sendable {
    case same, gone, changed, renamed, unusable

    var event: Delivery.Event {
      let status = FileStatus.test(.test(), size: 8)
      let held: Delivery.Held =
        switch self {
        case .same: .same
        case .gone: .gone
        case .changed: .changed(status)
        case .renamed: .renamed(entry: "b", status, message: "the handler renamed it")
        case .unusable: .unusable(message: "the handler left a directory")
        }
      return .inspected(held, nameIsFree: true)
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var outcome: HandlerOutcome
    var held: Held = .same
    /// What is done after the payload was inspected, up to where it is obvious.
    var steps: [String]
    var testDescription: String { "\(outcome), \(held)" }
  }

  @Test(arguments: same + gone + changed + renamed + unusable)
  func `outcome and what the handler left decide`(_ row: Row) throws {
    let script = DeliveryScript(.moveByHandler).answering(
      "ask", .answered(row.outcome, report: nil, retryAfter: nil))
    #expect(try Array(script.after("inspect", row.held.event).prefix(row.steps.count)) == row.steps)
  }

  private static let again = ["await worker", "commit claiming attempt 2 starts 1", "ask"]
  private static let askedAgain = ["await worker", "commit claiming attempt 1 starts 1", "ask"]
  private static let absent = ["sync directory of hold", "sync directory of origin"]
  private static let lost = absent + ["commit receipt failed handler-failed + close + forget count", "finished"]
  private static let rejected = ["choose 0", "commit placing attempt 1", "write reason", "hold -> destination"]
  private static let changedAndRejected = ["check", "choose 0", "sync hold"] + rejected.dropFirst()

  static let same: [Row] = [
    Row(
      outcome: .accepted(HandlerAnswer()), steps: ["choose 0", "commit placing attempt 1", "hold -> destination"]),
    Row(outcome: .rejected("no"), steps: rejected),
    Row(outcome: .notYet(nil), steps: ["commit returning attempt 1", "hold -> origin"]),
    Row(outcome: .failed("exit"), steps: ["commit claiming attempt 1", "wait retry"] + again),
    Row(outcome: .payloadRefused("too long"), steps: rejected),
    Row(outcome: .blocked("not executable"), steps: ["commit claiming", "wait blocked for handler"] + askedAgain),
    Row(outcome: .wait("no memory"), steps: ["commit claiming", "wait retry"] + askedAgain),
  ]
  static let gone: [Row] = [
    Row(
      outcome: .accepted(HandlerAnswer()), held: .gone,
      steps: absent + ["commit receipt taken + close + forget count", "finished"]),
    Row(outcome: .rejected("no"), held: .gone, steps: lost),
    Row(outcome: .notYet("later"), held: .gone, steps: lost),
    Row(outcome: .failed("exit"), held: .gone, steps: lost),
    Row(outcome: .payloadRefused("too long"), held: .gone, steps: lost),
  ]
  static let changed: [Row] = [
    Row(
      outcome: .accepted(HandlerAnswer()), held: .changed, steps: ["commit claiming attempt 1", "check"] + again),
    Row(outcome: .rejected("no"), held: .changed, steps: changedAndRejected),
    Row(outcome: .failed("exit"), held: .changed, steps: ["check", "commit claiming attempt 1", "wait retry"] + again),
    Row(outcome: .notYet(nil), held: .changed, steps: ["commit returning attempt 1", "hold -> origin"]),
    Row(outcome: .wait("no memory"), held: .changed, steps: ["commit claiming", "wait retry"] + askedAgain),
  ]
  static let renamed: [Row] = [
    Row(outcome: .accepted(HandlerAnswer()), held: .renamed, steps: changedAndRejected),
    Row(outcome: .rejected("no"), held: .renamed, steps: changedAndRejected),
    Row(outcome: .failed("exit"), held: .renamed, steps: ["check", "commit claiming attempt 1", "wait retry"] + again),
  ]
  static let unusable: [Row] = [
    HandlerOutcome.accepted(HandlerAnswer()), .rejected("no"), .notYet(nil), .failed("exit"),
  ].map { Row(outcome: $0, held: .unusable, steps: lost) }

  // MARK: - Attempts

  @Test func `the last attempt that fails sets the payload aside`() {
    var script = DeliveryScript(.moveByHandler) { $0.handler.attempts = 2 }
    for _ in 1...2 { script = script.answering("ask", .answered(.failed("exit 1"), report: nil, retryAfter: nil)) }
    #expect(script.finish().filter { $0 == "ask" }.count == 2)
    #expect(script.receipts.first?.code == .handlerFailed && script.receipts.first?.attempts == 2)
    #expect(script.receipts.first?.message == "exit 1")
  }

  @Test func `an attempt that was none does not count`() {
    var script = DeliveryScript(.moveByHandler) { $0.handler.attempts = 1 }
    for outcome in [HandlerOutcome.wait("no memory"), .blocked("gone"), .wait("no memory")] {
      script = script.answering("ask", .answered(outcome, report: nil, retryAfter: nil))
    }
    #expect(script.finish().filter { $0 == "ask" }.count == 4)
    #expect(script.receipts.first?.outcome == .delivered && script.receipts.first?.attempts == 1)
  }

  @Test func `a handler that the daemon's end takes back was not asked`() {
    var script = DeliveryScript(.moveByHandler).answering("ask", .answered(.void, report: nil, retryAfter: nil))
    #expect(script.finish().suffix(3) == ["ask", "commit claiming", "parked"])
    #expect(script.row?.attempts == 0 && script.row?.starts == 0)
  }

  @Test func `nothing is asked whose attempt is not committed`() throws {
    let steps = try DeliveryScript(.moveByHandler).after("commit claiming attempt 1 starts 1", .other)
    #expect(steps.prefix(3) == ["wait blocked for ledger", "await worker", "commit claiming attempt 1 starts 1"])
  }

  @Test func `an attempt that cannot be written down is waited for all the same`() throws {
    let script = DeliveryScript(.moveByHandler).answering("ask", .answered(.failed("x"), report: nil, retryAfter: nil))
    #expect(try script.after("commit claiming attempt 1", .other).first == "wait retry")
  }

  @Test func `a payload of which a process may have died is asked about alone`() {
    var script = DeliveryScript(.moveByHandler)
    #expect(!script.delivery.isAskedAlone)
    script.delivery.drop.attempts = 1
    #expect(script.delivery.isAskedAlone && !script.delivery.isCrashSuspect)
    script.delivery.drop.attempts = 0
    script.delivery.drop.starts = 1
    #expect(script.delivery.isAskedAlone && script.delivery.isCrashSuspect)
  }

  // MARK: - What the handler wants

  @Test func `the handler chooses a directory, a name and a reason`() {
    let answer = HandlerAnswer(reason: "paid", destination: "2024", name: "b.pdf")
    var script = DeliveryScript(.moveByHandler).answering(
      "ask", .answered(.accepted(answer), report: .init(exit: 0, signal: nil, output: "paid"), retryAfter: nil))
    _ = script.finish()
    #expect(script.receipts.first?.place == "/box/2024/b.pdf")
    #expect(script.receipts.first?.message == "paid" && script.receipts.first?.handler?.exit == 0)
  }

  @Test func `a copy that the handler wants is a move where the name in the zone is taken`() {
    let answer = Delivery.Event.answered(
      .accepted(HandlerAnswer(operation: .copy)), report: nil, retryAfter: nil)
    var script = DeliveryScript(.moveByHandler).answering("ask", answer)
      .answering("inspect", .inspected(.same, nameIsFree: false))
    #expect(!script.finish().contains("choose return name 0"))
    #expect(script.receipts.first?.operation == .move)
    #expect(
      script.receipts.first?.warnings == ["the handler asked for a copy, and its name in the zone is taken: moved"])
  }

  // MARK: - Changes that are allowed

  private static func changing(_ settings: (inout ZoneSettings) -> Void = { _ in }) -> DeliveryScript {
    DeliveryScript(.moveByHandler) {
      $0.handler.changes = true
      settings(&$0)
    }.answering("inspect", Held.changed.event)
  }

  @Test func `what the handler made of its payload is read and synced before it is delivered`() throws {
    var script = Self.changing()
    script.found.held = .test(.test(), size: 8)
    try script.advance(to: "choose 0", after: "sync hold")
    #expect(script.outline.suffix(3) == ["inspect", "check", "sync hold"])
    #expect(script.drop.size == 8)
    var quick = Self.changing { $0.delivery.durable = false }
    try quick.advance(to: "choose 0", after: "check")
  }

  @Test(arguments: Kind.allCases)
  func `what the handler made of its payload and cannot be read is a failed attempt`(kind: Kind) throws {
    var script = Self.changing()
    try script.advance(to: "check", after: "inspect")
    script.report(.failed(.init(kind, "why")))
    switch kind {
    case .missing: #expect(script.next == "sync directory of hold")
    case .holdMissing: #expect(script.next == "wait blocked")
    default: #expect(script.next == "commit claiming attempt 1")
    }
  }

  @Test func `what the handler made of its payload and cannot be synced is a failed attempt`() throws {
    #expect(
      try Array(Self.changing().after("sync hold", .noRoom).prefix(2)) == ["commit claiming attempt 1", "wait retry"])
  }

  @Test func `what the handler made of its payload goes back with it`() throws {
    var script = DeliveryScript(.notYet).answering(
      "inspect", .inspected(.changed(.test(.test(), inode: DeliveryScript.otherInode, size: 8)), nameIsFree: true))
    try script.advance(to: "hold -> origin")
    #expect(script.row?.inode == DeliveryScript.otherInode && script.row?.size == 8)
  }

  // MARK: - Inspections that fail

  @Test(arguments: Kind.allCases)
  func `the verdict stands until the payload can be seen, unless its hold is away`(kind: Kind) throws {
    let steps = try DeliveryScript(.moveByHandler).after("inspect", kind)
    if kind == .holdMissing {
      #expect(steps.prefix(3) == ["commit claiming", "wait blocked", "await worker"])
    } else {
      #expect(steps.prefix(3) == ["wait retry", "inspect", "choose 0"])
    }
  }

  @Test func `a suspect that lived through its handler is counted so before its fate`() throws {
    var row = Drop.test()
    row.starts = 1
    var script = DeliveryScript(
      recovering: row, found: .init([.hold: .payload]), policy: .test(asksHandler: true))
    try script.advance(to: "ask")
    #expect(script.row?.starts == 2)
    try script.advance(to: "inspect", after: "commit starts 1")
    #expect(script.row?.starts == 1)
  }
}
