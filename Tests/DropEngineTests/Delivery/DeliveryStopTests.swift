import Testing

@testable import DropEngine

/// A stop, a wait and a failure of recovery, wherever they come.
@Suite struct DeliveryStopTests {
  @Test(arguments: DeliveryScript.Way.allCases)
  func `a stop at any step parks the payload, and its row is what the ledger has`(way: DeliveryScript.Way) {
    let count = DeliveryScript(way).steps.count
    for number in 0..<count {
      var script = DeliveryScript(way)
      for _ in 0..<number { script.perform() }
      guard !script.delivery.isEnded else { continue }
      let row = script.row
      script.report(.stopped)
      #expect(script.next == "parked" && script.delivery.isEnded && script.delivery.stage == .end)
      // Nothing that comes later starts it again.
      for event: Delivery.Event in [.done, .resumed, .workerFree, .failed(.init(.other))] { script.report(event) }
      #expect(script.next == "parked" && script.row == row)
    }
  }

  @Test(arguments: DeliveryScript.Way.allCases)
  func `a crash before any step is recovered to an end without a row`(way: DeliveryScript.Way) throws {
    let count = DeliveryScript(way).steps.count
    for number in 0..<count {
      var script = DeliveryScript(way)
      var names = Names(script)
      for _ in 0..<number {
        let step = script.delivery.step
        names.perform(step, script.perform())
      }
      guard let row = script.row else { continue }
      var recovered = DeliveryScript(
        recovering: row, found: names.found(of: row), policy: script.delivery.policy)
      recovered.answerNotYet(way)
      let steps = recovered.finish()
      #expect(recovered.row == nil, "a crash before '\(script.next)': \(steps)")
      #expect(["finished", "left in zone"].contains { steps.last?.hasPrefix($0) == true })
      // The receipt of a payload that has one already is not written again.
      #expect(script.receipts.count + recovered.receipts.count <= 1)
    }
  }

  @Test func `a wait goes on with the step that it interrupted, and only once`() throws {
    var script = DeliveryScript(.move).failing("check", .other)
    try script.advance(to: "wait retry")
    #expect(script.delivery.stage == .waiting)
    script.perform()
    #expect(script.next == "check" && script.delivery.stage == .judge)
    script.perform()
    script.report(.resumed)
    #expect(script.next == "choose 0")
  }

  @Test func `waits are as long as what they are for takes to change`() {
    #expect(Delivery.Wait(.writer, "").longestBackoff == .seconds(5))
    #expect(Delivery.Wait(.blocked, "").longestBackoff == .seconds(30))
    #expect(Delivery.Wait(.retry, "").longestBackoff == .seconds(60))
  }

  // MARK: - Stages

  @Test func `each step is performed by one stage`() {
    func stages(_ way: DeliveryScript.Way) -> [Delivery.Stage] {
      var script = DeliveryScript(way)
      var stages: [Delivery.Stage] = []
      while true {
        let stage = script.delivery.stage
        if stages.last != stage { stages.append(stage) }
        if script.delivery.isEnded { return stages }
        script.perform()
      }
    }
    #expect(stages(.move) == [.claim, .judge, .place, .receipts, .end])
    #expect(stages(.moveByHandler) == [.claim, .judge, .handler, .place, .receipts, .end])
    #expect(stages(.linked) == [.claim, .judge, .place, .copy, .receipts, .end])
    #expect(stages(.notYet) == [.claim, .judge, .handler, .giveBack, .end])
    #expect(stages(.undo) == [.giveBack, .end])
    var recovered = DeliveryScript(recovering: .test(), found: .init([.origin: .payload]))
    #expect(recovered.delivery.stage == .recovery)
    _ = recovered.finish()
    #expect(recovered.delivery.stage == .end)
  }

  @Test func `steps of the same kind are performed together, and others by their stage`() {
    var kinds: [String: Delivery.Step.Kind?] = [:]
    for way in DeliveryScript.Way.allCases {
      for step in DeliveryScript(way).steps { kinds[step.outline] = step.kind }
    }
    #expect(kinds["sync origin"] == .sync && kinds["sync directory of hold"] == .syncDirectory)
    #expect(kinds["commit placing"] == .commit && kinds["hold -> destination"] == .rename)
    #expect(kinds["remove hold"] == .remove && kinds["write reason"] == .writeReason)
    for own in ["check", "ask", "choose 0", "copy hold -> temporary", "inspect", "finished"] {
      #expect(kinds[own] == .some(nil))
    }
  }

  // MARK: - Recovery

  @Test(arguments: ["find names", "remove origin"])
  func `what cannot be looked at or tidied up is looked for again`(step: String) throws {
    let script = DeliveryScript(recovering: .test(), found: .init([.origin: .payload, .hold: .payload]))
    let steps = try script.after(step, .other)
    #expect(steps.prefix(3) == ["commit note of copy", "wait blocked", "find names"])
    #expect(steps.last == "finished")
  }

  @Test func `a payload without a row goes to the rejects, with one`() {
    var row = Drop.test()
    row.verdict = .rejected(.ledgerLost, message: "its ledger was lost")
    var script = DeliveryScript(Delivery(placingOrphan: row, policy: .plain))
    #expect(
      script.finish() == [
        "commit claiming", "choose 0", "sync hold", "commit placing", "write reason", "hold -> destination",
        "sync directory of hold", "sync directory of destination",
        "commit receipt failed ledger-lost + close", "finished",
      ])
  }

  @Test func `a verdict that recovery finds keeps the directory and the name that the handler wanted`() {
    var row = Drop.test(.placing)
    row.decide()
    row.destinationDirectory = "2024"
    row.destinationName = "b.pdf"
    var script = DeliveryScript(recovering: row, found: .init([.hold: .payload]))
    _ = script.finish()
    #expect(script.receipts.first?.place == "/box/2024/b.pdf")
  }

  @Test func `the original of a copy gets the size that it had, where its row does not say`() {
    var row = Drop.test()
    row.becomeCopy()
    row.inode = DeliveryScript.copyInode
    row.size = 8
    var found = Delivery.Found([.hold: .copy], of: row)
    found.origin = .test(.test(), size: 3)
    var script = DeliveryScript(recovering: row, found: found)
    script.perform()
    #expect(script.drop.original?.size == 3)
  }
}

extension DeliveryScript {
  /// All steps up to the end, which is the last.
  fileprivate var steps: [Delivery.Step] {
    var script = self
    var steps = [script.delivery.step]
    while !script.delivery.isEnded {
      script.perform()
      steps.append(script.delivery.step)
    }
    return steps
  }

  fileprivate mutating func answerNotYet(_ way: Way) {
    guard way == .notYet || way == .notYetSnapshot else { return }
    self = answering("ask", .answered(.notYet("wait"), report: nil, retryAfter: nil))
  }
}

/// The names that the steps of a delivery make and remove.
private struct Names {
  private var files: [Delivery.Name: Delivery.Found.File]

  init(_ script: DeliveryScript) {
    if case .undo = script.delivery.phase {
      files = [.delivered: .payload]
      if script.drop.state == .removing { files[.origin] = .payload }
    } else {
      files = [.origin: .payload]
    }
  }

  mutating func perform(_ step: Delivery.Step, _ event: Delivery.Event) {
    if case .failed = event { return }
    switch step {
    case .rename(let old, let new, _): files[new] = files.removeValue(forKey: old)
    case .copy(_, let new): files[new] = .copy
    case .remove(let name): files[name] = nil
    default: break
    }
  }

  func found(of row: Drop) -> Delivery.Found { Delivery.Found(files, of: row) }
}
