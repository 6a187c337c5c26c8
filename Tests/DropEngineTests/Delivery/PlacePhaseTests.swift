import Testing

@testable import DropEngine

@Suite struct PlacePhaseTests {
  typealias Kind = Delivery.Failure.Kind

  private static let withdrawn = [
    "sync directory of hold", "sync directory of origin", "commit receipt withdrawn + close", "finished",
  ]
  private static let rejectedName = ["choose 0", "commit placing", "write reason"]
  private static let copies = ["copy hold -> temporary"]
  private static func waits(_ wait: String) -> [String] { ["wait \(wait)", "choose 0", "commit placing"] }

  /// What is done after the choice of a name failed, and after the rename to it did.
  static let failures: [(kind: Kind, choice: [String], rename: [String])] = [
    (.missing, withdrawn, withdrawn),
    (.holdMissing, waits("blocked"), waits("blocked")),
    (.exists, waits("blocked for /box"), ["choose 0", "commit placing"]),
    (.otherFileSystem, waits("blocked for /box"), copies),
    (.unsupported, waits("blocked for /box"), copies),
    (.accessDenied, waits("blocked for /box"), waits("blocked for /box")),
    (.notPermitted, waits("blocked for /box"), waits("blocked for /box")),
    (.immutable, waits("blocked for /box"), waits("retry")),
    (.nameTooLong, rejectedName, rejectedName),
    (.nameRefused, rejectedName, rejectedName),
    (.tooLarge, waits("blocked for /box"), waits("blocked for /box")),
    (.noRoom, waits("blocked for /box"), waits("blocked for /box")),
    (.readOnly, waits("blocked for /box"), waits("blocked for /box")),
    (.changed, waits("retry"), waits("blocked for /box")),
    (.ledgerNoRoom, waits("blocked for /box"), waits("blocked for /box")),
    (.other, waits("blocked for /box"), waits("blocked for /box")),
  ]

  @Test func `each kind of failure has its meaning written down`() {
    #expect(Set(Self.failures.map(\.kind)) == Set(Kind.allCases))
  }

  @Test(arguments: failures)
  func `a name that cannot be chosen or given is the payload's fault, or its place's`(
    kind: Kind, choice: [String], rename: [String]
  ) throws {
    #expect(try Array(DeliveryScript(.move).after("choose 0", kind).prefix(choice.count)) == choice)
    #expect(try Array(DeliveryScript(.move).after("hold -> destination", kind).prefix(rename.count)) == rename)
  }

  @Test(arguments: failures)
  func `a reason goes before anything else is done about its reject`(
    kind: Kind, _: [String], rename: [String]
  ) throws {
    let removed = try DeliveryScript(.reject).after("hold -> destination", kind)
    // A reason that cannot be removed changes nothing about the failure.
    let stuck = try DeliveryScript(.reject).failing("hold -> destination", kind).after("remove reason", .other)
    #expect(removed.first == "remove reason")
    let expected: [String] =
      switch kind {
      // The name is taken; the next one is for both the payload and its reason.
      case .exists: ["choose 1", "commit placing"]
      // The rejects get the id as the name.
      case .nameTooLong, .nameRefused: ["choose 0", "commit placing"]
      default: rename.map { $0.replacing("for /box", with: "for /box.rejects") }
      }
    #expect(Array(removed.dropFirst().prefix(expected.count)) == expected)
    #expect(Array(stuck.prefix(expected.count)) == expected)
  }

  @Test func `a reason that cannot be written leaves its payload in the hold`() throws {
    let steps = try DeliveryScript(.reject).after("write reason", .noRoom)
    #expect(steps.prefix(3) == ["wait blocked for /box.rejects", "choose 0", "commit placing"])
    #expect(try DeliveryScript(.reject).after("write reason", .exists).first == "choose 1")
  }

  // MARK: - Names

  @Test func `the next name is committed before it is tried`() throws {
    var script = DeliveryScript(.move).failing("hold -> destination", .exists)
      .answering("choose 0", .chosen(.test(DeliveryScript(.move).delivery, number: 0)))
    let second = Delivery.Destination(root: "/box", directory: "", name: "a.1.pdf", number: 1, replaces: false)
    script = script.answering("choose 0", .chosen(second))
    try script.advance(to: "hold -> destination", after: "commit placing")
    script.perform()
    try script.advance(to: "hold -> destination")
    #expect(script.row?.destinationName == "a.1.pdf")
    _ = script.finish()
    #expect(script.receipts.first?.place == "/box/a.1.pdf")
  }

  @Test func `a payload that replaces takes the name of the other`() {
    let destination = Delivery.Destination(root: "/box", directory: "", name: "a.pdf", number: 0, replaces: true)
    var script = DeliveryScript(.move).answering("choose 0", .chosen(destination))
    #expect(script.finish().contains("hold -> destination (replacing)"))
    #expect(script.receipts.first?.replaced == true)
  }

  @Test func `a name that the box refuses is the payload's, and one that the rejects refuse becomes its id`() throws {
    var script = DeliveryScript(.move).failing("choose 0", .nameTooLong).failing("choose 0", .nameTooLong)
    try script.advance(to: "choose 0")
    script.perform()
    #expect(!script.drop.isAccepted && !script.delivery.wishes.usesIDAsName)
    script.perform()
    #expect(script.next == "choose 0" && script.delivery.wishes.usesIDAsName)
    var refused = script
    _ = refused.finish()
    #expect(refused.receipts.first?.code == .boxName && refused.receipts.first?.message == "why")
    // If the rejects refuse even that, it is they that are at fault.
    script.report(.failed(.init(.nameRefused, "why")))
    #expect(script.next == "wait blocked for /box.rejects")
  }

  @Test func `a name that another file has is a duplicate, where the zone says so`() {
    var script = DeliveryScript(.move).answering("choose 0", .duplicate)
    _ = script.finish()
    #expect(script.receipts.first?.code == .duplicate && script.receipts.first?.place == "/box.rejects/a.pdf")
  }

  // MARK: - Identical files

  private static let other = FileStatus.test(.test(), inode: DeliveryScript.otherInode)

  @Test func `a file that the box has already is delivered by removing the other`() {
    var script = DeliveryScript(.move).answering("choose 0", .mayBeIdentical(number: 2))
      .answering("compare 2", .compared(identical: "sub/b.pdf", sha256: "same", others: []))
    let steps = script.finish()
    #expect(steps.contains("commit placed + receipt delivered"))
    #expect(Array(steps.suffix(6)) == DeliveryOrderTests.closed)
    #expect(script.receipts.first?.place == "/box/sub/b.pdf" && script.receipts.first?.sha256 == "same")
    #expect(script.receipts.first?.message == "the box had an identical file")
  }

  @Test func `files that have other bytes are not compared again`() throws {
    var script = DeliveryScript(.move).answering("choose 0", .mayBeIdentical(number: 0))
      .answering("compare 0", .compared(identical: nil, sha256: "mine", others: [Self.other]))
    try script.advance(to: "choose 0", after: "compare 0")
    #expect(script.delivery.compared == [Self.other])
    _ = script.finish()
    #expect(script.receipts.first?.sha256 == "mine")
  }

  @Test(arguments: Kind.allCases)
  func `a comparison that fails is made again later`(kind: Kind) throws {
    let script = DeliveryScript(.move).answering("choose 0", .mayBeIdentical(number: 0))
    #expect(
      try script.after("compare 0", kind).prefix(2)
        == [kind == .holdMissing ? "wait blocked" : "wait retry", "choose 0"])
  }

  // MARK: - Waits

  @Test func `a writer is waited for, and the verdict stands`() throws {
    var script = DeliveryScript(.move).answering("choose 0", .hasWriter)
    try script.advance(to: "wait writer")
    #expect(script.delivery.step.message == "it is open for writing" && script.drop.isAccepted)
    script.perform()
    #expect(script.next == "choose 0")
  }

  @Test func `owner and mode that were set are synced before the name is committed`() throws {
    var changed = Delivery.Destination.test(DeliveryScript(.move).delivery, number: 0)
    changed.root = "/box"
    changed.changed = 77
    changed.ownWarnings = ["its owner cannot be set"]
    var script = DeliveryScript(.move).answering("choose 0", .chosen(changed))
    try script.advance(to: "commit placing", after: "sync hold")
    #expect(script.drop.changed == 77)
    _ = script.finish()
    #expect(script.receipts.first?.warnings == ["its owner cannot be set"])

    let failing = DeliveryScript(.move).answering("choose 0", .chosen(changed))
    #expect(try failing.after("sync hold", .other).prefix(2) == ["wait retry", "choose 0"])
    var quick = DeliveryScript(.move) { $0.delivery.durable = false }.answering("choose 0", .chosen(changed))
    #expect(!quick.finish().contains("sync hold"))
  }

  @Test(arguments: ["sync directory of hold", "sync directory of destination"])
  func `what cannot be synced has no receipt until it can`(step: String) throws {
    let steps = try DeliveryScript(.move).after(step, .other)
    #expect(steps.prefix(2) == ["wait blocked for sync of /box", step])
    #expect(steps.last == "finished")
  }

  @Test(arguments: ["commit placing", "commit receipt delivered + close"])
  func `a ledger without room is waited for, and any other failure is left to recovery`(step: String) throws {
    #expect(try DeliveryScript(.move).after(step, .ledgerNoRoom).prefix(2) == ["wait blocked for ledger", step])
    #expect(try DeliveryScript(.move).after(step, .other) == ["parked"])
  }

  // MARK: - Receipts

  @Test func `a copy that is refused is a move to the rejects, and a copied original that is refused stays copied`() {
    var refused = DeliveryScript(.copyByHandler).answering("choose 0", .duplicate)
    _ = refused.finish()
    #expect(refused.receipts.first?.operation == .move)
    var snapshot = DeliveryScript(.snapshot).answering("choose 0", .duplicate)
    _ = snapshot.finish()
    #expect(snapshot.receipts.first?.operation == .copy && snapshot.notes.first?.inode == 7)
  }

  @Test func `receipts give the time of the verdict, and attempts end with them`() throws {
    var script = DeliveryScript(.moveByHandler)
    try script.advance(to: "choose 0")
    script.now = 5_000
    script.perform()
    script.now = 9_000
    #expect(script.finish().contains("commit receipt delivered + close + forget count"))
    #expect(script.receipts.first?.finished == 5_000)
  }

  @Test func `what lies under the name of a file with a second name is copied, unless it is refused`() {
    #expect(!DeliveryScript(.linked).delivery.isNear || DeliveryScript(.linked).drop.verdict == nil)
    var reject = DeliveryScript(.reject) { _ in
    } row: {
      $0.links = 2
    }
    #expect(!reject.finish().contains("copy hold -> temporary"))
  }
}
