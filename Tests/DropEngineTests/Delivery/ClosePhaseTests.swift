import Testing

@testable import DropEngine

@Suite struct ClosePhaseTests {
  typealias Kind = Delivery.Failure.Kind

  @Test(arguments: ["remove hold", "sync directory of hold", "remove origin", "sync directory of origin"])
  func `what cannot be removed keeps its row, and is tried again`(step: String) throws {
    for kind in Kind.allCases {
      let steps = try DeliveryScript(.linked).after(step, kind)
      #expect(steps.prefix(2) == ["wait retry", step])
      #expect(steps.last == "finished")
    }
  }

  @Test func `the old reason goes or stays, and the reject that was tried again is placed`() throws {
    #expect(
      try DeliveryScript(.retry).after("remove old reason", .accessDenied).first == "sync directory of old reason")
    #expect(try DeliveryScript(.retry).after("sync directory of old reason", .other).first == "wait retry")
  }

  @Test func `a retry that is copied removes the hold's file before its old reason`() throws {
    var script = DeliveryScript(.retry).failing("hold -> destination", .otherFileSystem)
    #expect(
      script.finish().suffix(6) == [
        "remove hold", "sync directory of hold", "remove old reason", "sync directory of old reason",
        "commit close + forget count", "finished",
      ])
  }

  @Test func `a row that cannot be closed is closed once the ledger has room, or by recovery`() throws {
    let script = DeliveryScript(.linked)
    let step = "commit close + forget count"
    #expect(try script.after(step, .ledgerNoRoom) == ["wait blocked for ledger", step, "finished"])
    #expect(try script.after(step, .other) == ["parked"])
  }

  @Test func `a directory that is gone needs no sync after the receipt, and does before it`() throws {
    var script = DeliveryScript(.linked)
    try script.advance(to: "sync directory of destination")
    #expect(Delivery.Name.allCases.allSatisfy { !script.delivery.toleratesMissing($0) })
    try script.advance(to: "sync directory of hold")
    let tolerated = Delivery.Name.allCases.filter { script.delivery.toleratesMissing($0) }
    #expect(tolerated == [.origin, .hold, .oldReason])
  }

  // MARK: - The original of a copy that the handler wanted

  @Test func `the original gets the next name if its own is taken, and only that one is noted`() throws {
    var script = DeliveryScript(.copyByHandler).failing("hold -> origin", .exists)
    try script.advance(to: "hold -> origin", after: "commit note")
    #expect(script.delivery.returnLocation == "a.pdf" && script.notes.map(\.location) == ["a.pdf"])
    script.perform()
    #expect(script.next == "commit forget note")
    try script.advance(to: "hold -> origin")
    #expect(script.outline.suffix(3) == ["commit forget note", "choose return name 1", "commit note"])
    #expect(script.delivery.returnLocation == "a.1.pdf" && script.notes.map(\.location) == ["a.1.pdf"])
    #expect(script.finish().last == "finished")
  }

  @Test func `the note of an original has its change time once that is known`() {
    var back = FileStatus.test(.test())
    back.changed = 88
    var script = DeliveryScript(.copyByHandler).answering("hold -> origin", .renamed(back))
    _ = script.finish()
    #expect(script.notes.map(\.changed) == [0, 88])
    #expect(script.notes.allSatisfy { $0.inode == 7 && $0.id == DropID(1) })
  }

  @Test func `an original that is back already needs only its syncs`() throws {
    let steps = try DeliveryScript(.copyByHandler).after("choose return name 0", .missing)
    #expect(
      steps == [
        "sync directory of hold", "sync directory of origin", "commit close + forget count", "finished",
      ])
  }

  @Test(arguments: Kind.allCases.filter { $0 != .exists })
  func `an original that cannot go back waits`(kind: Kind) throws {
    let steps = try DeliveryScript(.copyByHandler).after("hold -> origin", kind)
    #expect(steps.prefix(2) == ["wait retry", "hold -> origin"])
    guard kind != .missing else { return }
    #expect(
      try DeliveryScript(.copyByHandler).after("choose return name 0", kind).prefix(2)
        == ["wait retry", "choose return name 0"])
  }

  @Test(arguments: ["commit note", "commit forget note"])
  func `a note that cannot be committed is waited for, or left to recovery`(step: String) throws {
    let script = DeliveryScript(.copyByHandler).failing("hold -> origin", .exists)
    #expect(try script.after(step, .ledgerNoRoom).prefix(2) == ["wait blocked for ledger", step])
    #expect(try script.after(step, .other) == ["parked"])
  }
}
