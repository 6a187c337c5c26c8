import Testing

@testable import DropEngine

@Suite struct ReturnPhaseTests {
  typealias Kind = Delivery.Failure.Kind

  private static let again = ["await worker", "commit claiming attempt 2 starts 1", "ask"]

  @Test(arguments: Kind.allCases)
  func `a payload that cannot be put back is asked about again in the hold`(kind: Kind) throws {
    let steps = try DeliveryScript(.notYet).after("hold -> origin", kind)
    if kind == .missing {
      #expect(steps.suffix(2) == ["commit receipt withdrawn + close + forget count", "finished"])
    } else {
      #expect(Array(steps.prefix(4)) == ["wait retry"] + Self.again)
    }
  }

  @Test func `the next attempt in the hold says claiming, so that recovery does not put it back`() throws {
    var script = DeliveryScript(.notYet).failing("hold -> origin", .exists)
    try script.advance(to: "wait retry")
    #expect(script.delivery.step.message == "wait; it cannot be put back: why")
    #expect(script.drop.state == .claiming)
  }

  @Test(arguments: ["sync directory of hold", "sync directory of origin"])
  func `a payload that is back keeps its row until that is synced`(step: String) throws {
    for kind in Kind.allCases {
      let steps = try DeliveryScript(.notYet).after(step, kind)
      // Its sender has taken the directory away, with what is in it.
      if kind == .missing, step == "sync directory of origin" {
        #expect(steps.first == "commit close if returning + count")
      } else {
        #expect(steps.prefix(2) == ["wait blocked", step])
      }
      #expect(steps.last == "left in zone, attempts 1")
    }
  }

  @Test(arguments: ["commit returning attempt 1", "commit close if returning + count"])
  func `a ledger without room is waited for, and any other failure is left to recovery`(step: String) throws {
    #expect(try DeliveryScript(.notYet).after(step, .ledgerNoRoom).prefix(2) == ["wait blocked for ledger", step])
    #expect(try DeliveryScript(.notYet).after(step, .other) == ["parked"])
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (6, 32), (7, 60), (8, 60), (40, 60)])
  func `a payload is left alone for longer after each attempt, up to a minute`(attempt: Int, seconds: Int) throws {
    var script = DeliveryScript(.notYet) {
      $0.handler.attempts = 100
    } row: {
      $0.attempts = attempt - 1
    }
    try script.advance(to: "hold -> origin")
    #expect(script.delivery.returnReason?.delay == .seconds(seconds))
    #expect(script.delivery.returnReason?.message == "wait")
  }

  @Test func `the handler may say when it is asked again, and need not say why`() throws {
    var script = DeliveryScript(.moveByHandler).answering(
      "ask", .answered(.notYet(nil), report: nil, retryAfter: .seconds(300)))
    try script.advance(to: "hold -> origin")
    #expect(script.delivery.returnReason?.delay == .seconds(300))
    #expect(script.delivery.returnReason?.message == "the handler said not yet")
  }

  @Test func `attempts go with the file that is left in the zone`() throws {
    var script = DeliveryScript(.notYet)
    _ = script.finish()
    guard case .leftInZone(let count?) = script.delivery.step else { throw Unexpected() }
    #expect((count.inode, count.attempts, count.id) == (7, 1, DropID(1)))
    var snapshot = DeliveryScript(.notYetSnapshot)
    _ = snapshot.finish()
    guard case .leftInZone(let original?) = snapshot.delivery.step else { throw Unexpected() }
    #expect((original.inode, original.attempts) == (7, 1))
  }

  // MARK: - Copies and retries

  @Test func `a copy whose original is not there is all there is, and stays`() throws {
    var script = DeliveryScript(.notYetSnapshot)
    script.found.origin = nil
    try script.advance(to: "wait retry")
    #expect(script.delivery.step.message == "wait; its original is not there")
    script.perform()
    #expect(script.next == "await worker")
  }

  @Test(arguments: ["find names", "remove hold"])
  func `a copy that cannot be given up is asked about again`(step: String) throws {
    #expect(try Array(DeliveryScript(.notYetSnapshot).after(step, .other).prefix(4)) == ["wait retry"] + Self.again)
  }

  @Test func `a copy that cannot be given up durably is asked about again`() throws {
    var script = DeliveryScript(.notYetSnapshot)
    try script.advance(to: "sync directory of hold", after: "remove hold")
    script.report(.failed(.init(.other, "why")))
    #expect(script.next == "wait retry")
  }

  @Test func `a reject that is tried again has no name in the zone, and waits in the hold`() throws {
    var drop = Drop.test()
    drop.source = "/box.rejects/a.pdf"
    var script = DeliveryScript(Delivery(claiming: drop, policy: .test(asksHandler: true)))
      .answering("ask", .answered(.notYet("later"), report: nil, retryAfter: nil))
    try script.advance(to: "wait retry")
    #expect(script.delivery.step.message == "later")
    script.perform()
    #expect(script.next == "await worker")
  }

  private struct Unexpected: Error {}
}
