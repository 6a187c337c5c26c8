import DropSystem
import Support
import Testing

@testable import DropEngine
@testable import DropFlow

/// What an operator asks for after the receipt: deliveries that are undone, and rejects that are tried again.
@Suite(.timeLimit(.minutes(1))) struct OperatorRequestTests {
  private func giveBack(_ payload: ClaimedPayload, _ harness: FlowHarness) async -> ClaimedPayload {
    await ReturnStage(harness.context, harness.runner).run(payload).0
  }

  // MARK: - Undo

  /// A file that was delivered, and its receipt.
  private func delivered(
    _ name: String, _ harness: FlowHarness, _ change: (inout Drop) throws -> Void = { _ in }
  ) async throws -> ReceiptRecord {
    try harness.write("B/" + name)
    let status = try harness.status("B/" + name)
    var drop = try harness.row(name, "hello", change)
    try RawPath(drop.holdPath).appending(RawPath(drop.entry)).removeFile()
    (drop.inode, drop.birth) = (status.identity.inode, status.identity.birth)
    (drop.size, drop.modified) = (status.size, status.modified)
    drop.verdict = .accepted(message: nil)
    drop.destinationRoot = drop.boxPath
    drop.destinationDirectory = drop.location.parent
    drop.destinationName = drop.location.lastComponent
    let record = ReceiptRecord(verdictOf: drop, place: drop.place, finished: 3)
    try await harness.ledger.commit([.addReceipt(record)])
    return record
  }

  private func undo(_ record: ReceiptRecord, _ harness: FlowHarness) async throws -> ClaimedPayload {
    await giveBack(try OperatorRequests(context: harness.context).undo(record), harness)
  }

  @Test(arguments: [false, true])
  func `a delivery is back under its own name, and staging leaves it alone`(isFar: Bool) async throws {
    try await FlowHarness.with(isFar: isFar) { harness in
      let record = try await delivered("sub/a.txt", harness)
      let undone = try await undo(record, harness)
      #expect(undone.delivery.step == .finished)
      #expect(harness.text("Z/sub/a.txt") == "hello" && harness.names("B/sub").isEmpty)
      #expect(try harness.ledger.outcome(of: record.id)?.outcome == .undone)
      let note = try #require(try harness.ledger.originals(in: "z").first)
      #expect(note.holds(for: try harness.status("Z/sub/a.txt")) == true)
      #expect(harness.told.told.notes.first?.location == "sub/a.txt")
      #expect(harness.names("Z/sub") == ["a.txt"])
    }
  }

  @Test(arguments: [false, true])
  func `a delivery whose name in the zone is taken stays`(isFar: Bool) async throws {
    try await FlowHarness.with(isFar: isFar) { harness in
      try harness.write("Z/a.txt", "another")
      let record = try await delivered("a.txt", harness)
      guard case .refused = try await undo(record, harness).delivery.step else { throw NotLeft() }
      #expect(harness.text("Z/a.txt") == "another" && harness.text("B/a.txt") == "hello")
      #expect(harness.names("Z") == ["a.txt"] && harness.told.told.notComing.last == "a.txt")
      #expect(try harness.ledger.drops().isEmpty && harness.ledger.originals(in: "z").isEmpty)
      #expect(try harness.ledger.outcome(of: record.id)?.outcome == .delivered)
    }
  }

  @Test func `of a copy whose original is in the zone only the copy goes`() async throws {
    try await FlowHarness.with { harness in
      let record = try await deliveredCopy("a.txt", harness)
      #expect(try await undo(record, harness).delivery.step == .finished)
      #expect(harness.text("Z/a.txt") == "hello" && harness.names("B").isEmpty)
      #expect(try harness.ledger.outcome(of: record.id)?.outcome == .undone)
    }
  }

  private func deliveredCopy(_ name: String, _ harness: FlowHarness) async throws -> ReceiptRecord {
    var record = try await delivered(name, harness) { $0.operation = .copy }
    try harness.path("Z/" + name).write("hello")
    let seconds = wallNow() / 1000 - 10
    for path in ["Z/" + name, "B/" + name] { try harness.path(path).setModified(seconds: seconds) }
    record.modified = try harness.status("B/" + name).modified
    return record
  }

  // MARK: - What an operator may ask for

  struct Request: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var record: @Sendable (inout ReceiptRecord) -> Void = { _ in }
    var files: @Sendable (FlowHarness) throws -> Void = { _ in }
    var row: Drop.State?
    var why: String
  }

  @Test(arguments: [
    Request(
      testDescription: "not delivered", record: { $0.outcome = .rejected }, why: "it was not delivered: rejected"),
    Request(testDescription: "taken by a reader", record: { $0.place = nil }, why: "it was not delivered: delivered"),
    Request(
      testDescription: "it replaced another", record: { $0.replaced = true },
      why: "it replaced another file, which cannot be brought back"),
    Request(testDescription: "under way", row: .returning, why: "it is being put back already"),
    Request(testDescription: "not closed", row: .placed, why: "what it was copied from is not removed yet"),
    Request(
      testDescription: "changed", files: { try $0.write("B/a.txt", "another") },
      why: "the file in the box is not as it was delivered"),
    Request(testDescription: "gone", files: { try $0.path("B/a.txt").removeFile() }, why: "cannot be put back: "),
    Request(testDescription: "no zone", files: { try $0.path("Z").removeDirectory() }, why: "its zone is not there: "),
    Request(
      testDescription: "a copy whose original has changed", record: { $0.operation = .copy },
      files: { try $0.write("Z/a.txt", "another") },
      why: "its original has changed since, and the copy is the last that has these bytes"),
  ])
  func `an undo that is not possible says why, and changes nothing`(_ request: Request) async throws {
    try await FlowHarness.with { harness in
      var record = try await delivered("a.txt", harness)
      request.record(&record)
      if let state = request.row {
        var row = try harness.row("a.txt") { $0.id = record.id }
        row.state = state
        try await harness.ledger.commit([.put(row)])
      }
      try request.files(harness)
      let before = (harness.names("Z"), harness.names("B"), try harness.ledger.drops())
      let error = #expect(throws: RetryableError.self) { try OperatorRequests(context: harness.context).undo(record) }
      #expect(error?.message.contains(request.why) == true)
      #expect(try before == (harness.names("Z"), harness.names("B"), harness.ledger.drops()))
    }
  }

  /// A reject and its receipt.
  private func rejected(_ harness: FlowHarness) async throws -> ReceiptRecord {
    try harness.write("R/a.txt")
    let status = try harness.status("R/a.txt")
    let record = ReceiptRecord(
      id: newDropID(), zone: "z", location: "a.txt", bytes: status.size, operation: .move, outcome: .rejected,
      code: .type, message: "no", place: harness.path("R/a.txt"), evidence: .lease, firstSeen: 1, released: 2,
      finished: 3, inode: status.identity.inode, birth: status.identity.birth, modified: status.modified,
      zonePath: harness.context.settings.path, boxPath: harness.context.settings.box,
      rejectsPath: harness.context.settings.rejects)
    let rejects = try Directory(harness.path("R"))
    try ReasonFile.write(record.receipt, for: record.id, beside: "a.txt", in: rejects, durable: false)
    _ = consume rejects
    return record
  }

  @Test func `a reject is taken into the hold beside the rejects, under its id`() async throws {
    try await FlowHarness.with { harness in
      let record = try await rejected(harness)
      let payload = try OperatorRequests(context: harness.context).retry(record, force: true)
      #expect(payload.id == record.id && payload.drop.isForced && payload.drop.source == record.place)
      #expect(payload.drop.holdPath == harness.path("R.hold").description)
      let (held, _) = await ReturnStage(harness.context, harness.runner).run(payload, in: .claim)
      #expect(held.delivery.stage == .judge && harness.names("R") == ["a.txt.reason.json"])
      #expect(try harness.row(of: payload)?.source == record.place)
    }
  }

  @Test(arguments: [
    Request(
      testDescription: "delivered", record: { $0.outcome = .delivered }, why: "it is not among the rejects: delivered"),
    Request(testDescription: "no place", record: { $0.place = nil }, why: "it is not among the rejects: rejected"),
    Request(testDescription: "under way", row: .claiming, why: "it is being tried again already"),
    Request(
      testDescription: "changed", files: { try $0.write("R/a.txt", "another") },
      why: "the file in the rejects is not the one that was refused"),
    Request(testDescription: "gone", files: { try $0.path("R/a.txt").removeFile() }, why: "cannot be taken: "),
    Request(
      testDescription: "no hold",
      files: {
        try $0.write("R.hold")
        try $0.write("R/.dropzone-hold")
      }, why: "no place to hold payloads: "),
  ])
  func `a retry that is not possible says why, and changes nothing`(_ request: Request) async throws {
    try await FlowHarness.with { harness in
      var record = try await rejected(harness)
      request.record(&record)
      if let state = request.row {
        var row = try harness.row("a.txt") { $0.id = record.id }
        row.state = state
        try await harness.ledger.commit([.put(row)])
      }
      try request.files(harness)
      let before = (harness.names("R"), try harness.ledger.drops())
      let error = #expect(throws: RetryableError.self) {
        try OperatorRequests(context: harness.context).retry(record, force: false)
      }
      #expect(error?.message.contains(request.why) == true)
      #expect(try before == (harness.names("R"), harness.ledger.drops()))
    }
  }

  private struct NotLeft: Error {}
}
