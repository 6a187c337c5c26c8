import DropSystem
import Testing

@testable import DropEngine
@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct WaitingRoomTests {
  private static let box = Delivery.Wait(.blocked, "the box is read-only", cause: .place("/box"))

  /// A payload that waits; what it goes on with is the choice of its name.
  private func waiting(
    _ wait: Delivery.Wait, _ harness: FlowHarness, after payload: ClaimedPayload? = nil
  ) async throws -> ClaimedPayload {
    var next: ClaimedPayload
    if let payload { next = payload } else { next = try await harness.judged() }
    next.delivery.wait(wait, then: .choose(from: 0), in: .place(.choosing))
    return next
  }

  @Test func `a payload that waits alone waits a second at first, and then twice as long each time, up to its limit`()
    async throws
  {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      for (wait, seconds) in [
        (Delivery.Wait(.writer, "open"), [1, 2, 4, 5, 5]), (.init(.blocked, "full"), [1, 2, 4, 8, 16, 30, 30]),
        (.init(.retry, "unreadable"), [1, 2, 4, 8, 16, 32, 60, 60]),
      ] {
        var payload = try await waiting(wait, harness)
        for length in seconds {
          let call = try #require(room.admit(payload))
          #expect(call.after == .seconds(length))
          #expect(room.reason(of: payload.id) == wait.message)
          let back = room.take(call)
          #expect(back.map(\.delivery.step) == [.choose(from: 0)] && room.reason(of: payload.id) == nil)
          payload = try await waiting(wait, harness, after: back[0])
        }
      }
    }
  }

  @Test func `one that waits for another reason goes on with its back-off`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      var payload = try await waiting(.init(.retry, "unreadable"), harness)
      for _ in 1...4 { payload = try await again(payload, .init(.retry, "unreadable"), room, harness) }
      let writer = try await waiting(.init(.writer, "open"), harness, after: payload)
      #expect(room.admit(writer)?.after == .seconds(5))
    }
  }

  private func again(
    _ payload: ClaimedPayload, _ wait: Delivery.Wait, _ room: WaitingRoom, _ harness: FlowHarness
  ) async throws -> ClaimedPayload {
    let call = try #require(room.admit(payload))
    return try await waiting(wait, harness, after: room.take(call).first)
  }

  @Test func `those that wait for the same place go on together, and one call is for all`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      let call = try #require(room.admit(try await waiting(Self.box, harness)))
      #expect(room.admit(try await waiting(Self.box, harness)) == nil)
      let rejects = Delivery.Wait(.blocked, "no rejects", cause: .place("/rejects"))
      #expect(room.admit(try await waiting(rejects, harness)) != nil)
      #expect(room.take(call).count == 2 && room.take(call).isEmpty)
    }
  }

  @Test func `a place that is tried in vain is tried later each time, and from the start once it works`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      for seconds in [1, 2, 4] {
        let call = try #require(room.admit(try await waiting(Self.box, harness)))
        #expect(call.after == .seconds(seconds) && room.take(call).count == 1)
      }
      room.open(Self.box.cause)
      #expect(room.admit(try await waiting(Self.box, harness))?.after == .seconds(1))
    }
  }

  @Test func `a place that others still wait for is not opened`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      let call = try #require(room.admit(try await waiting(Self.box, harness)))
      room.open(Self.box.cause)
      #expect(room.shutPlaces == ["/box": "the box is read-only"] && room.take(call).count == 1)
    }
  }

  @Test func `while a place is tried it is shown as shut, and open to those that come`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      let call = try #require(room.admit(try await waiting(Self.box, harness)))
      #expect(room.blockedReason == "the box is read-only" && room.claimTrouble(box: "/box") != nil)
      _ = room.take(call)
      #expect(room.blockedReason == "the box is read-only" && room.shutPlaces.isEmpty)
      // What is claimed now tries it as well.
      #expect(room.claimTrouble(box: "/box") == nil)
      #expect(room.forgetTried() && room.blockedReason == nil)
      #expect(!room.forgetTried())
    }
  }

  @Test func `only what all payloads meet keeps others from being claimed`() async throws {
    for (wait, isTrouble) in [
      (Self.box, true), (.init(.blocked, "no rejects", cause: .place("/rejects")), false),
      (.init(.blocked, "cannot be synced", cause: .sync("/box")), true),
      (.init(.blocked, "not executable", cause: .handler), true), (.init(.blocked, "no room", cause: .ledger), false),
      (.init(.blocked, "full"), false), (.init(.retry, "unreadable"), false),
    ] {
      try await FlowHarness.with { harness in
        let room = WaitingRoom(harness.context)
        _ = room.admit(try await waiting(wait, harness))
        #expect((room.claimTrouble(box: "/box") != nil) == isTrouble, "\(wait)")
      }
    }
  }

  @Test func `a place says more than what follows from it, and a retry blocks nothing`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      _ = room.admit(try await waiting(.init(.retry, "unreadable"), harness))
      #expect(room.blockedReason == nil)
      _ = room.admit(try await waiting(.init(.blocked, "full"), harness))
      #expect(room.blockedReason == "full")
      _ = room.admit(try await waiting(Self.box, harness))
      #expect(room.blockedReason == "the box is read-only")
    }
  }

  @Test func `when the mounts change, those that wait for places try at once, and others do not`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      _ = room.admit(try await waiting(Self.box, harness))
      _ = room.admit(try await waiting(.init(.blocked, "no rejects", cause: .place("/rejects")), harness))
      let handler = try #require(
        room.admit(try await waiting(.init(.blocked, "not executable", cause: .handler), harness)))
      #expect(room.takeWaitingForPlaces().count == 2 && room.takeWaitingForPlaces().isEmpty)
      #expect(room.take(handler).count == 1)
    }
  }

  @Test func `what waits holds nothing open, and is said once`() async throws {
    try await FlowHarness.with { harness in
      let room = WaitingRoom(harness.context)
      var payload = try await waiting(Self.box, harness)
      payload.file = try OpenFile.regular(at: harness.heldPath(payload)).file
      payload.hold = try harness.hold().directory
      let call = try #require(room.admit(payload))
      _ = room.admit(try await waiting(Self.box, harness))
      #expect(harness.told.told.warnings == ["blocked, tried again in 1s: the box is read-only"])
      #expect(room.take(call).allSatisfy { $0.file == nil && $0.hold == nil })
    }
  }

  @Test func `a payload that does not wait is not let in`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await harness.judged()
      #expect(WaitingRoom(harness.context).admit(payload) == nil)
    }
  }
}
