import Testing

@testable import DropEngine

@Suite struct UndoPhaseTests {
  typealias Kind = Delivery.Failure.Kind

  @Test(arguments: [DeliveryScript.Way.undo, .undoFar, .undoCopy])
  func `an undo that cannot be committed is refused, and nothing was touched`(way: DeliveryScript.Way) {
    var script = DeliveryScript(way)
    if way == .undoCopy { script.perform() }
    script.report(.failed(.init(.ledgerNoRoom, "full")))
    #expect(script.next == "refused")
    #expect(script.delivery.step.message == "the ledger cannot be written: full")
    #expect(script.row == nil)
  }

  @Test(arguments: Kind.allCases)
  func `until it has its name in the zone, whatever fails leaves the delivery as it is`(kind: Kind) throws {
    let refused = ["commit close + forget note", "refused"]
    switch kind {
    case .otherFileSystem, .unsupported:
      #expect(try DeliveryScript(.undo).after("delivered -> origin", kind).first == "copy delivered -> half copy")
    default: #expect(try DeliveryScript(.undo).after("delivered -> origin", kind) == refused)
    }
    for step in ["copy delivered -> half copy", "sync half copy", "half copy -> origin"] {
      #expect(
        try DeliveryScript(.undoFar).after(step, kind) == ["remove half copy", "sync directory of origin"] + refused)
    }
    let stuck = DeliveryScript(.undoFar).failing("sync half copy", kind)
    #expect(try stuck.after("remove half copy", .other) == refused)
  }

  @Test func `a copy that cannot be committed is removed, and the delivery stands`() throws {
    var script = DeliveryScript(.undoFar)
    try script.advance(to: "commit returning", after: "sync half copy")
    script.report(.failed(.init(.ledgerNoRoom, "full")))
    #expect(
      script.finish().suffix(4) == [
        "remove half copy", "sync directory of origin", "commit close + forget note", "refused",
      ])
  }

  @Test(arguments: ["sync directory of origin", "remove delivered", "sync directory of delivered"])
  func `once it has its name in the zone it is back, and the rest is tried again`(step: String) throws {
    for kind in Kind.allCases {
      let steps = try DeliveryScript(.undo).after(step, kind)
      #expect(steps.prefix(2) == ["wait blocked", step])
      #expect(steps.last == "finished")
    }
  }

  @Test func `an undo cannot be taken back once the payload has its name in the zone`() {
    var script = DeliveryScript(.undo)
    for step in ["commit returning", "delivered -> origin"] {
      #expect(script.next == step && !script.delivery.isUndoIrrevocable)
      script.perform()
    }
    while !script.delivery.isEnded {
      #expect(script.delivery.isUndoIrrevocable)
      script.perform()
    }
  }

  @Test func `a receipt that cannot be committed is committed later, or by recovery`() throws {
    let step = "commit note + receipt undone + close"
    #expect(try DeliveryScript(.undo).after(step, .ledgerNoRoom) == ["wait blocked for ledger", step, "finished"])
    #expect(try DeliveryScript(.undo).after(step, .other) == ["parked"])
    let withdrawal = DeliveryScript(.undo).failing("delivered -> origin", .exists)
    #expect(try withdrawal.after("commit close + forget note", .other) == ["parked"])
  }

  @Test func `the note is of the file that is in the zone, and the receipt of the one that was undone`() {
    var back = FileStatus.test(.test(), inode: DeliveryScript.copyInode)
    (back.modified, back.changed) = (10, 66)
    var script = DeliveryScript(.undoFar).answering("half copy -> origin", .renamed(back))
    _ = script.finish()
    #expect(script.notes.last?.inode == DeliveryScript.copyInode && script.notes.last?.changed == 66)
    #expect(script.receipts.first?.inode == 7 && script.receipts.first?.outcome == .undone)
    #expect(script.receipts.first?.place == nil)
  }

  @Test func `before its name appears, a note by what is known keeps the scan from taking it`() throws {
    var script = DeliveryScript(.undo)
    #expect(script.delivery.undoNote.inode == 7 && script.delivery.undoNote.changed == 0)
    script = DeliveryScript(.undoFar)
    try script.advance(to: "half copy -> origin")
    #expect(script.delivery.undoNote.inode == DeliveryScript.copyInode && script.delivery.undoNote.birth == 0)
  }

  // MARK: - Copies

  @Test func `the removal of a copy is committed before the copy goes`() {
    var script = DeliveryScript(.undoCopy)
    #expect(script.next == "sync origin")
    script.perform()
    #expect(script.next == "commit removing" && script.row == nil)
    script.perform()
    #expect(script.next == "remove delivered" && script.row?.state == .removing)
  }

  @Test func `a copy whose original cannot be synced stays delivered`() {
    var script = DeliveryScript(.undoCopy).failing("sync origin", .other)
    #expect(script.finish() == ["sync origin", "refused"])
    #expect(script.delivery.step.message == "its original cannot be synced: why")
    #expect(script.row == nil && script.receipts.isEmpty)
  }

  @Test func `a copy that cannot be removed stays delivered`() {
    var script = DeliveryScript(.undoCopy).failing("remove delivered", .accessDenied)
    #expect(script.finish().suffix(2) == ["commit close", "refused"])
    #expect(script.delivery.step.message == "its copy cannot be removed: why")
    #expect(script.row == nil && script.receipts.isEmpty)
  }

  @Test func `a copy that is removed has no receipt until that is synced`() throws {
    let steps = try DeliveryScript(.undoCopy).after("sync directory of delivered", .other)
    #expect(steps.prefix(2) == ["wait blocked", "sync directory of delivered"])
    #expect(steps.last == "finished")
  }

  // MARK: - What can be undone

  @Test func `a receipt without a place cannot be undone`() {
    let record = ReceiptRecord(verdictOf: .test(), place: nil, finished: 3)
    #expect(Delivery(undoing: record, status: .test(.test()), isCopy: false, policy: .plain) == nil)
  }

  @Test func `the row of an undo says what the receipt says, and where the payload lies`() throws {
    var delivered = Drop.test()
    delivered.decide()
    (delivered.type, delivered.grade, delivered.sha256, delivered.attempts) = ("text/plain", .proved, "abc", 2)
    let record = ReceiptRecord(verdictOf: delivered, place: "/box/sub/b.pdf", finished: 3)
    let row = Delivery(
      undoing: record, status: .test(.test(), inode: 8, size: 5), isCopy: false, policy: .plain)?.drop
    #expect(row?.state == .returning && row?.operation == .move && row?.source == "/box/sub/b.pdf")
    #expect(row?.holdPath == "/box/sub" && row?.entry == "b.pdf" && row?.inode == 8 && row?.size == 5)
    #expect(row?.type == "text/plain" && row?.sha256 == "abc" && row?.attempts == 2)
  }
}
