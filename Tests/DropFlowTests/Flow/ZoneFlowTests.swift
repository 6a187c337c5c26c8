import DropSystem
import Support
import Synchronization
import Testing

@testable import DropEngine
@testable import DropFlow

/// A whole flow, from release to receipt.
@Suite(.timeLimit(.minutes(1))) struct ZoneFlowTests {
  /// A flow that is stopped when the test is over.
  private func with(
    isFar: Bool = false, handler: (any DropHandler)? = nil, types: [String] = [],
    _ settings: (inout ZoneSettings) -> Void = { _ in }, _ body: (FlowHarness, ZoneFlow) async throws -> Void
  ) async throws {
    try await FlowHarness.with(isFar: isFar, handler: handler, types: types, settings) { harness in
      let flow = harness.flow()
      await flow.begin()
      do {
        try await body(harness, flow)
        await flow.stop()
      } catch {
        await flow.stop()
        throw error
      }
    }
  }

  private func receipts(_ count: Int, _ harness: FlowHarness) async -> [ReceiptRecord] {
    await harness.told.told { $0.records.count >= count && $0.inHand == 0 }.records
  }

  // MARK: - From release to receipt

  @Test(arguments: [false, true])
  func `what is released gets into the box, and each payload has one receipt`(isFar: Bool) async throws {
    try await with(isFar: isFar) { harness, flow in
      let releases = try (1...300).map { try harness.release("\($0 % 7)/\($0).txt", "\($0)") }
      flow.submit(Array(releases.prefix(100)))
      flow.submit(Array(releases.dropFirst(100)))
      let records = await receipts(300, harness)
      #expect(Set(records.map(\.id)) == Set(releases.map(\.payload.id)) && records.count == 300)
      #expect(records.allSatisfy { $0.outcome == .delivered })
      for number in 1...300 { #expect(harness.text("B/\(number % 7)/\(number).txt") == "\(number)") }
      #expect(harness.names(isFar ? "Z.hold" : "B.hold").isEmpty)
      #expect(try harness.ledger.drops().isEmpty && harness.ledger.receipts(limit: 1000).count == 300)
      let told = harness.told.told
      #expect(told.claimed.count == 300 && told.refusals.isEmpty && told.blocked == nil)
      #expect(await flow.isIdle)
    }
  }

  @Test func `a payload that the zone does not take is in the rejects, with its reason`() async throws {
    try await with(types: ["image/*"]) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      let record = try #require(await receipts(1, harness).first)
      #expect(record.outcome == .rejected && record.code == .type)
      #expect(harness.names("R") == ["a.txt", "a.txt.reason.json"] && harness.names("B").isEmpty)
    }
  }

  @Test func `of a copy the original stays, and staging knows it from the claim on`() async throws {
    try await with({ $0.delivery.operation = .copy }) { harness, flow in
      flow.submit([try harness.release("a.txt", operation: .copy)])
      let record = try #require(await receipts(1, harness).first)
      #expect(record.outcome == .delivered && record.operation == .copy)
      #expect(harness.text("Z/a.txt") == "hello" && harness.text("B/a.txt") == "hello")
      let original = try harness.status("Z/a.txt")
      let told = harness.told.told
      #expect(told.notes.map(\.inode) == [original.identity.inode])
      #expect(told.copied.map(\.inode) == [original.identity.inode])
      #expect(try harness.ledger.originals(in: "z").first?.holds(for: original) == true)
    }
  }

  @Test func `later files replace earlier ones in the order in which they came`() async throws {
    try await with({ $0.delivery.collision = .replace }) { harness, flow in
      for number in 1...20 {
        let release = try harness.release("a.txt", "\(number)")
        flow.submit([release])
        _ = await harness.told.told { $0.claimed.count == number }
      }
      let records = await receipts(20, harness)
      #expect(harness.text("B/a.txt") == "20" && harness.names("B") == ["a.txt"])
      #expect(records.count { $0.replaced } == 19)
    }
  }

  @Test func `identical files are kept once`() async throws {
    try await with({ $0.delivery.collision = .keepIdentical }) { harness, flow in
      try harness.write("B/a.txt", "hello")
      flow.submit([try harness.release("a.txt", "hello")])
      let record = try #require(await receipts(1, harness).first)
      #expect(record.outcome == .delivered && record.message == "the box had an identical file")
      #expect(harness.names("B") == ["a.txt"] && harness.names("B.hold").isEmpty && harness.names("Z").isEmpty)
    }
  }

  @Test func `a payload that changed since its release stays, and others go on`() async throws {
    try await with { harness, flow in
      let releases = [try harness.release("a.txt"), try harness.release("b.txt")]
      try harness.write("Z/a.txt", "another")
      flow.submit(releases)
      _ = await receipts(1, harness)
      let told = harness.told.told
      #expect(told.refusals.map(\.key.name) == ["a.txt"] && told.refusals.first?.waiting == nil)
      #expect(harness.text("Z/a.txt") == "another" && harness.names("B") == ["b.txt"])
    }
  }

  @Test func `big payloads are claimed beside small ones`() async throws {
    try await with { harness, flow in
      let big = String(repeating: "0123456789abcdef", count: (1 << 20) + 1)
      flow.submit([try harness.release("a.bin", big), try harness.release("b.txt")])
      let records = await receipts(2, harness)
      #expect(Set(records.map(\.outcome)) == [.delivered] && harness.names("B") == ["a.bin", "b.txt"])
    }
  }

  @Test func `emptied directories go where the zone says so`() async throws {
    try await with({
      $0.prune = true
      $0.staging.quiet = .zero
    }) { harness, flow in
      flow.submit([try harness.release("sub/low/a.txt")])
      _ = await receipts(1, harness)
      await eventually { await flow.isIdle }
      #expect(harness.names("Z").isEmpty && harness.text("B/sub/low/a.txt") == "hello")
    }
  }

  // MARK: - Places

  @Test func `a box that goes blocks the zone, and all goes on once it is back`() async throws {
    let (isAsked, answers) = (Signal(), Signal())
    let handler = ScriptedHandler { payloads, answer in
      isAsked.give()
      await answers.wait()
      for payload in payloads { await answer(payload.drop.id, HandlerDecision(.accepted(HandlerAnswer()))) }
    }
    try await with(handler: handler) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      await isAsked.wait()
      try harness.path("B").rename(to: harness.path("away"))
      answers.give()
      let blocked = await harness.told.told { $0.blocked != nil }
      #expect(blocked.blocked?.hasPrefix("'\(harness.context.settings.box)': ") == true && blocked.inHand == 1)
      let id = try #require(try harness.ledger.drops().first).id
      #expect(await flow.trouble(of: id) == blocked.blocked)
      // Nothing is claimed that would have to wait as well.
      flow.submit([try harness.release("b.txt")])
      #expect(await harness.told.told { !$0.refusals.isEmpty }.refusals.first?.waiting == .blocked)
      try harness.path("away").rename(to: harness.path("B"))
      await flow.placesMayHaveChanged()
      let told = await harness.told.told { !$0.records.isEmpty && $0.blocked == nil }
      #expect(told.records.first?.outcome == .delivered && harness.names("B") == ["a.txt"])
      #expect(harness.names("Z") == ["b.txt"])
    }
  }

  @Test func `rejects that go block only rejects`() async throws {
    try await with(types: ["text/plain"]) { harness, flow in
      try harness.path("R").removeDirectory()
      try harness.write("R")
      flow.submit([try harness.release("a.txt", "%PDF-1.4\n%âãÏÓ\n1 0 obj\nendobj\n"), try harness.release("b.txt")])
      let told = await harness.told.told { !$0.records.isEmpty && $0.blocked != nil }
      #expect(told.records.map(\.location) == ["b.txt"] && told.blocked?.contains("R'") == true)
      try harness.path("R").removeFile()
      await flow.placesMayHaveChanged()
      #expect(await receipts(2, harness).last?.outcome == .rejected)
    }
  }

  @Test func `a ledger that fails keeps everything where it is, and the daemon hears of it`() async throws {
    let (isAsked, answers) = (Signal(), Signal())
    let handler = ScriptedHandler { payloads, answer in
      isAsked.give()
      await answers.wait()
      for payload in payloads { await answer(payload.drop.id, HandlerDecision(.accepted(HandlerAnswer()))) }
    }
    try await with(handler: handler) { harness, flow in
      flow.submit([try harness.release("a.txt")])
      await isAsked.wait()
      harness.ledger.close()
      answers.give()
      #expect(await harness.told.told { !$0.errors.isEmpty }.records.isEmpty)
      #expect(harness.names("B.hold").count == 1 && harness.names("B").isEmpty)
    }
  }
}
