import DropSystem
import Support
import Synchronization
import Testing

@testable import DropEngine
@testable import DropFlow

/// Small parts that all stages use.
@Suite(.timeLimit(.minutes(1))) struct FlowPartsTests {
  // MARK: - Work on many

  @Test(arguments: [0, 1, 15, 16, 33, 1000])
  func `results are in the order of the items, whatever thread they came from`(count: Int) async {
    let items = Array(0..<count)
    #expect(await concurrentMap(items) { $0.map { $0 * 2 } } == items.map { $0 * 2 })
    #expect(await concurrentMap(items, isLong: true) { $0.map { $0 * 2 } } == items.map { $0 * 2 })
    let order = Mutex<[Int]>([])
    let results = await serialMap(items) { item in
      order.withLock { $0.append(item) }
      return item
    }
    #expect(results == items && order.withLock { $0 } == items)
  }

  // MARK: - Syncs

  @Test(arguments: [1, 3, Syncing.fewFiles + 4])
  func `files are synced one by one or by their file system`(count: Int) async throws {
    try await FlowHarness.with { harness in
      var files: [OpenFile] = []
      for number in 0..<count {
        try harness.write("Z/\(number).txt")
        files.append(try OpenFile.regular(at: harness.path("Z/\(number).txt")).file)
      }
      for (isAlone, other) in [(true, Int64(0)), (false, 0), (false, Syncing.muchElse + 1)] {
        #expect(await Syncing.sync(files, unsyncedElse: other, isAlone: isAlone).isEmpty)
      }
    }
  }

  @Test func `a file that cannot be synced has its error, and the others none`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt")
      let file = try OpenFile.regular(at: harness.path("Z/a.txt")).file
      // A descriptor that names a file only cannot be synced.
      let named = OpenFile(try FileDescriptor.open(harness.path("Z/a.txt"), [.pathOnly]))
      let errors = await Syncing.sync([file, named, file], unsyncedElse: .max)
      #expect(Array(errors.keys) == [1] && errors[1]?.leavesUnwritten == true)
    }
  }

  // MARK: - Where a payload was

  @Test func `the origin of a payload is its name in the zone, or that among the rejects`() async throws {
    try await FlowHarness.with { harness in
      var row = try harness.row("sub/a.txt")
      func origin() -> (RawPath, RawPath, RawPath) {
        (row.origin.directory.root, row.origin.directory.location, row.origin.name)
      }
      #expect(origin() == (harness.path("Z"), "sub", "a.txt") && row.delivered == nil)
      row.source = harness.path("R/sub/low/a.1.txt")
      #expect(origin() == (harness.path("R"), "sub/low", "a.1.txt") && row.delivered == nil)
      // The rejects had another place when it was refused.
      row.source = harness.path("old/a.1.txt")
      #expect(origin() == (harness.path("old"), RawPath(bytes: []), "a.1.txt"))
      row.state = .returning
      #expect(origin() == (harness.path("Z"), "sub", "a.txt") && row.delivered == harness.path("old/a.1.txt"))
    }
  }

  @Test func `a hold is there if its path leads to the directory that the payload was put into`() async throws {
    try await FlowHarness.with { harness in
      let row = try harness.row("a.txt")
      #expect(row.isHoldThere)
      #expect(try row.openHeld().status.identity.inode == row.inode)
      try harness.path("B.hold").rename(to: harness.path("away"))
      #expect(!row.isHoldThere)
      #expect(Delivery.Failure(held: row, FileError(.noEntry, .open, "x")).kind == .holdMissing)
      try harness.path("B.hold").makeDirectory()
      #expect(!row.isHoldThere)
      try harness.path("B.hold").removeDirectory()
      try harness.path("B.hold").makeLink(to: "away")
      #expect(!row.isHoldThere)
      try harness.path("B.hold").removeFile()
      try harness.path("away").rename(to: harness.path("B.hold"))
      #expect(Delivery.Failure(held: row, FileError(.noEntry, .open, "x")).kind == .missing)
      // Rows of the first release do not say which directory it was.
      var old = row
      old.holdIdentity = nil
      #expect(old.isHoldThere)
    }
  }

  // MARK: - On the way to the flow

  @Test func `releases that come while a task is on its way go with it`() async throws {
    try await FlowHarness.with { harness in
      let inbox = ReleaseInbox()
      let started = Mutex(0)
      func add(_ name: String) throws {
        inbox.add([try harness.release(name)]) {
          started.withLock { $0 += 1 }
          return Task {}
        }
      }
      #expect(inbox.isEmpty)
      for name in ["a.txt", "b.txt"] { try add(name) }
      #expect(!inbox.isEmpty && started.withLock { $0 } == 1)
      let taken = inbox.take()
      #expect(taken.releases.map(\.location) == ["a.txt", "b.txt"] && taken.task != nil && inbox.isEmpty)
      try add("c.txt")
      #expect(started.withLock { $0 } == 2 && inbox.take().releases.count == 1)
    }
  }

  @Test func `payloads count from the claim to the receipt, and what blocks the zone is told`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      let reporter = FlowReporter(harness.context, room, HandlerStage(harness.context, harness.runner))
      var payload = try await harness.judged("a.txt")
      let other = try await harness.judged("b.txt")
      for payload in [payload, other] { reporter.add(payload.id) }
      payload.delivery.wait(.init(.blocked, "full"), then: .choose(from: 0), in: .place(.choosing))
      _ = room.admit(payload)
      reporter.publish()
      #expect(harness.told.told.inHand == 2 && harness.told.told.blocked == "full")
      reporter.report([ReceiptRecord(verdictOf: payload.drop, place: nil, finished: 1)])
      #expect(harness.told.told.inHand == 1 && harness.told.told.records.count == 1)
      reporter.remove(other.id)
      #expect(harness.told.told.inHand == 0 && reporter.count == 0)
    }
  }
}
