import Testing

@testable import DropEngine

@Suite struct ClaimPhaseTests {
  typealias Kind = Delivery.Failure.Kind

  /// What a failure to take a payload means for it, which stays in the zone.
  static let refusals: [(kind: Kind, rename: String, copy: String)] = [
    (.missing, "stay changed", "stay changed"), (.exists, "stay changed", "stay changed"),
    (.changed, "stay changed", "stay changed"), (.otherFileSystem, "stay cannot-take", "stay changed"),
    (.accessDenied, "stay cannot-take", "stay cannot-take"), (.notPermitted, "stay cannot-take", "stay cannot-take"),
    (.immutable, "stay cannot-take", "stay cannot-take"), (.noRoom, "stay blocked", "stay blocked"),
    (.readOnly, "stay blocked", "stay blocked"), (.holdMissing, "stay blocked", "stay blocked"),
    (.unsupported, "stay retry", "stay retry"), (.nameTooLong, "stay retry", "stay retry"),
    (.nameRefused, "stay retry", "stay retry"), (.tooLarge, "stay retry", "stay retry"),
    (.ledgerNoRoom, "stay retry", "stay retry"), (.other, "stay retry", "stay retry"),
  ]

  @Test func `each kind of failure has its meaning written down`() {
    #expect(Set(Self.refusals.map(\.kind)) == Set(Kind.allCases))
  }

  @Test(arguments: refusals)
  func `a payload that cannot be renamed stays in the zone, and has no row`(kind: Kind, end: String, _: String) throws {
    #expect(try DeliveryScript(.move).after("origin -> hold", kind) == ["commit close", end])
  }

  @Test(arguments: refusals)
  func `a payload that cannot be copied stays, and its snapshot goes before its row`(kind: Kind, _: String, end: String)
    throws
  {
    let removed = ["remove hold", "sync directory of hold", "commit close", end]
    for step in ["copy origin -> hold", "sync hold", "sync directory of hold"] {
      #expect(try DeliveryScript(.snapshot).after(step, kind) == removed)
    }
  }

  @Test func `an unreadable payload says so only when it is opened`() {
    #expect(Delivery.Refusal(.init(.accessDenied), .opening).waiting == .unreadable)
    #expect(Delivery.Refusal(.init(.accessDenied), .opening).endsAtChange)
    #expect(Delivery.Refusal(.init(.otherFileSystem), .opening) == .changed)
    #expect(!Delivery.Refusal(.init(.noRoom), .taking).endsAtChange)
  }

  @Test func `a payload whose bytes cannot be synced is left alone, and the ledger knows nothing`() {
    var script = DeliveryScript(.move).failing("sync origin", .other)
    #expect(script.finish() == ["sync origin", "stay retry"])
    #expect(script.row == nil && script.delivery.step.message == "its bytes cannot be synced: why")
  }

  @Test(arguments: [Kind.ledgerNoRoom, .other])
  func `nothing is taken whose intent is not committed`(kind: Kind) throws {
    #expect(try DeliveryScript(.move).after("commit claiming", kind) == ["stay blocked"])
    #expect(try DeliveryScript(.snapshot).after("commit claiming + forget count", kind) == ["stay blocked"])
    #expect(try DeliveryScript(.retry).after("commit claiming", kind) == ["refused"])
  }

  @Test func `a retry whose reject cannot be taken is refused`() throws {
    var script = DeliveryScript(.retry).failing("origin -> hold", .missing)
    #expect(script.finish().suffix(2) == ["commit close", "refused"])
    #expect(script.delivery.step.message?.contains("'/box.rejects/a.pdf'") == true)
  }

  @Test func `the row of a failed claim goes once the ledger has room, or is left to recovery`() throws {
    let script = DeliveryScript(.move).failing("origin -> hold", .missing)
    #expect(
      try script.after("commit close", .ledgerNoRoom) == ["wait blocked for ledger", "commit close", "stay changed"])
    #expect(try script.after("commit close", .other) == ["parked"])
  }

  // MARK: - Another file came along

  private static func disturbed() -> Delivery.Event {
    .disturbed(.test(.test(), inode: DeliveryScript.otherInode, size: 8))
  }

  @Test func `a payload that came along by mistake goes back, synced, before its row goes`() throws {
    let steps = try DeliveryScript(.move).after("origin -> hold", Self.disturbed())
    #expect(
      steps == ["hold -> origin", "sync directory of hold", "sync directory of origin", "commit close", "stay changed"])
    let quick = DeliveryScript(.move) { $0.delivery.durable = false }
    #expect(try quick.after("origin -> hold", Self.disturbed()) == ["hold -> origin", "commit close", "stay changed"])
  }

  @Test func `a payload that cannot go back is judged as what it is`() throws {
    var script = DeliveryScript(.move).answering("origin -> hold", Self.disturbed()).failing("hold -> origin", .exists)
    try script.advance(to: "choose 0")
    #expect(script.drop.inode == DeliveryScript.otherInode && script.drop.size == 8)
  }

  @Test(arguments: ["sync directory of hold", "sync directory of origin"])
  func `a payload that is back keeps its row until that is synced`(step: String) throws {
    let script = DeliveryScript(.move).answering("origin -> hold", Self.disturbed())
    let steps = try script.after(step, .other)
    #expect(Array(steps.prefix(2)) == ["wait blocked", step])
    #expect(steps.last == "stay changed")
  }

  // MARK: - Snapshots

  @Test(arguments: ["remove hold", "sync directory of hold"])
  func `a snapshot that cannot be removed keeps its row, so that recovery removes both`(step: String) {
    var script = DeliveryScript(.snapshot).failing("copy origin -> hold", .noRoom).failing(step, .other)
    #expect(script.finish().suffix(2) == [step, "stay blocked"])
    #expect(script.row?.state == .claiming)
  }

  @Test func `a snapshot takes the original's part, and the original stays what it was`() throws {
    var script = DeliveryScript(.snapshot) { _ in
    } row: {
      $0.links = 3
      $0.verdict = .rejected(.handler, message: "no")
    }
    try script.advance(to: "copy origin -> hold")
    // A stop takes it again, and asks again.
    #expect(script.row?.verdict == nil)
    try script.advance(to: "check")
    #expect(script.drop.inode == DeliveryScript.copyInode && script.drop.links == 1)
    #expect(script.drop.original?.inode == 7 && script.drop.original?.size == 3)
    #expect(script.drop.sha256 == "copied")
    #expect(script.delivery.isJustClaimed)
  }

  // MARK: - What the claim finds

  @Test func `a claimed payload is what the rename found, or is looked at again`() throws {
    var seen = FileStatus.test(.test())
    (seen.changed, seen.links) = (55, 2)
    var script = DeliveryScript(.move).answering("origin -> hold", .renamed(seen))
    try script.advance(to: "check")
    #expect(script.drop.changed == 55 && script.drop.links == 2 && script.delivery.isJustClaimed)

    var unseen = DeliveryScript(.move).answering("origin -> hold", .renamed(nil))
    try unseen.advance(to: "check")
    #expect(!unseen.delivery.isJustClaimed)
    // A reject is not just written, so what it has become is read.
    var reject = DeliveryScript(.retry)
    try reject.advance(to: "check")
    #expect(!reject.delivery.isJustClaimed)
  }

  @Test func `what the configuration said at the release is in the row and in the verdict`() throws {
    var script = DeliveryScript(.move)
    var wishes = Delivery.Wishes()
    wishes.directory = "paid"
    script.delivery.apply(wishes, refusal: nil)
    try script.advance(to: "origin -> hold")
    #expect(script.row?.destinationDirectory == "paid")
    _ = script.finish()
    #expect(script.receipts.first?.place == "/box/paid/a.pdf")

    var refused = DeliveryScript(.move)
    refused.delivery.apply(Delivery.Wishes(), refusal: "not today")
    _ = refused.finish()
    #expect(refused.receipts.first?.code == .handler && refused.receipts.first?.message == "not today")
  }
}
