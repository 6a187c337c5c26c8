import Testing

@testable import DropEngine

@Suite struct CopyPhaseTests {
  typealias Kind = Delivery.Failure.Kind

  private static func waits(_ wait: String) -> [String] { ["wait \(wait)", "choose 0", "commit placing"] }
  private static let rejected = ["choose 0", "commit placing", "write reason", "hold -> destination"]

  /// What is done after a copy failed, once what was made of it is removed.
  static let failures: [(kind: Kind, steps: [String])] = [
    (.missing, ["sync directory of hold", "sync directory of origin", "commit receipt withdrawn + close", "finished"]),
    (.holdMissing, waits("blocked")),
    (.changed, waits("retry")),
    (.noRoom, waits("blocked")),
    (.nameTooLong, rejected),
    (.nameRefused, rejected),
    (.tooLarge, rejected),
    (.exists, waits("blocked for /box")),
    (.otherFileSystem, waits("blocked for /box")),
    (.unsupported, waits("blocked for /box")),
    (.accessDenied, waits("blocked for /box")),
    (.notPermitted, waits("blocked for /box")),
    (.immutable, waits("blocked for /box")),
    (.readOnly, waits("blocked for /box")),
    (.ledgerNoRoom, waits("blocked for /box")),
    (.other, waits("blocked for /box")),
  ]

  @Test func `each kind of failure has its meaning written down`() {
    #expect(Set(Self.failures.map(\.kind)) == Set(Kind.allCases))
  }

  @Test(arguments: failures)
  func `a copy that fails is removed, and then its payload's or its place's fault`(kind: Kind, steps: [String]) throws {
    for step in ["copy hold -> temporary", "sync temporary", "sync directory of destination", "inspect"] {
      let after = try DeliveryScript(.linked).after(step, kind)
      #expect(after.prefix(2) == ["remove temporary", "sync directory of destination"])
      // What is missing for a sync is the copy or its directory.
      let expected = kind == .missing && step.hasPrefix("sync") ? Self.waits("blocked for /box") : steps
      #expect(Array(after.dropFirst(2).prefix(expected.count)) == expected)
    }
    // A temporary that cannot be removed is removed by the copy that follows, or by recovery.
    let stuck = DeliveryScript(.linked).failing("copy hold -> temporary", kind)
    #expect(try Array(stuck.after("remove temporary", .other).prefix(steps.count)) == steps)
  }

  @Test func `a file that the box's file system cannot hold is refused for its size`() throws {
    var script = DeliveryScript(.linked).failing("copy hold -> temporary", .tooLarge)
    _ = script.finish()
    let receipt = try #require(script.receipts.first)
    #expect(receipt.outcome == .rejected && receipt.code == .size)
    #expect(receipt.message == "the box's file system takes no files of this size: why")
    // The rejects have no further place to send it to.
    #expect(
      try DeliveryScript(.rejectFar).after("copy hold -> temporary", .tooLarge).prefix(3)
        == ["remove temporary", "sync directory of destination", "wait blocked for /box.rejects"])
  }

  // MARK: - The source

  @Test func `a source that changed while it was copied is judged again, without the copy`() throws {
    let changed = Delivery.Event.inspected(.changed(.test(.test(), size: 8)), nameIsFree: true)
    var script = DeliveryScript(.linked).answering("inspect", changed)
    try script.advance(to: "check", after: "commit claiming attempt 1")
    #expect(
      script.outline.suffix(4)
        == ["inspect", "remove temporary", "sync directory of destination", "commit claiming attempt 1"])
    #expect(script.row?.size == 8 && script.row?.copyInode == nil && script.row?.verdict == nil)
  }

  @Test func `a link that comes or goes while a file is copied is no change`() throws {
    var status = FileStatus.test(.test())
    status.changed = 99
    status.links = 3
    let script = DeliveryScript(.linked)
    #expect(try script.after("inspect", .inspected(.changed(status), nameIsFree: true)).first == "commit copied")
  }

  @Test func `a source that is no longer there is withdrawn, without the copy`() throws {
    for held: Delivery.Held in [.gone, .unusable(message: "a directory")] {
      #expect(
        try DeliveryScript(.linked).after("inspect", .inspected(held, nameIsFree: true))
          == [
            "remove temporary", "sync directory of destination", "sync directory of hold", "sync directory of origin",
            "commit receipt withdrawn + close", "finished",
          ])
    }
  }

  @Test func `the digest and the warnings of the copy are the receipt's`() {
    let copy = Delivery.Copy(status: .copy(of: .test()), sha256: "read", warnings: ["its owner was not kept"])
    var script = DeliveryScript(.linked).answering("copy hold -> temporary", .copied(copy))
    _ = script.finish()
    #expect(script.receipts.first?.sha256 == "read")
    #expect(script.receipts.first?.warnings == ["its owner was not kept"])
    #expect(script.receipts.first?.inode == DeliveryScript.copyInode)
  }

  // MARK: - The name

  @Test func `a name that is taken gives way to the next, which is committed first`() throws {
    let steps = try DeliveryScript(.linked).after("temporary -> destination", .exists)
    #expect(steps.prefix(3) == ["choose for copy 0", "commit copied", "temporary -> destination"])
    let refused = try DeliveryScript(.rejectFar).after("temporary -> destination", .exists)
    #expect(refused.prefix(4) == ["remove reason", "choose for copy 0", "commit copied", "write reason"])
  }

  @Test(arguments: [DeliveryRules.Collision.reject, .keepIdentical])
  func `where another rule holds, a name that is taken is asked about again without the copy`(
    rule: DeliveryRules.Collision
  ) throws {
    let script = DeliveryScript(.linked) { $0.delivery.collision = rule }
    #expect(
      try script.after("temporary -> destination", .exists).prefix(4)
        == ["commit claiming", "remove temporary", "sync directory of destination", "choose 0"])
  }

  @Test func `a copy that replaces keeps its turn`() throws {
    let script = DeliveryScript(.linked) { $0.delivery.collision = .replace }
    #expect(try script.after("temporary -> destination", .exists).first == "choose for copy 0")
  }

  @Test(arguments: failures.filter { $0.kind != .exists })
  func `a copy that cannot be named is given up, and its row no longer says copied before it goes`(
    kind: Kind, steps: [String]
  ) throws {
    for script in [
      DeliveryScript(.linked).failing("temporary -> destination", kind),
      DeliveryScript(.linked).failing("temporary -> destination", .exists).failing("choose for copy 0", kind),
    ] {
      var run = script
      try run.advance(to: "remove temporary")
      #expect(run.row?.state == .claiming && run.row?.copyInode == nil)
      let after = try run.after("remove temporary", .done)
      #expect(Array(after.dropFirst().prefix(steps.count)) == steps)
    }
  }

  @Test func `a reason that cannot be written gives up the copy`() throws {
    var script = DeliveryScript(.rejectFar).answering("write reason", .done).failing("write reason", .noRoom)
    try script.advance(to: "remove temporary")
    #expect(script.outline.suffix(2) == ["write reason", "commit claiming"])
  }

  // MARK: - The end

  @Test func `a name that cannot be synced has no receipt until it can`() throws {
    var script = DeliveryScript(.linked).answering("sync directory of destination", .done)
      .failing("sync directory of destination", .other)
    try script.advance(to: "wait blocked for sync of /box")
    #expect(script.receipts.isEmpty)
    script.perform()
    #expect(script.next == "sync directory of destination")
  }

  @Test(arguments: ["commit copied", "commit placed + receipt delivered"])
  func `a ledger without room is waited for, and any other failure is left to recovery`(step: String) throws {
    #expect(try DeliveryScript(.linked).after(step, .ledgerNoRoom).prefix(2) == ["wait blocked for ledger", step])
    #expect(try DeliveryScript(.linked).after(step, .other) == ["parked"])
  }
}
