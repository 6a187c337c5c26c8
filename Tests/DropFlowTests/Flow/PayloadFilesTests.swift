import DropSystem
import Support
import Testing

@testable import DropEngine
@testable import DropFlow

/// A payload's names on a real directory: where they are, and what may be done to them.
@Suite(.timeLimit(.minutes(1))) struct PayloadFilesTests {
  private typealias Name = Delivery.Name

  private func decided(_ name: String, _ harness: FlowHarness) async throws -> ClaimedPayload {
    var payload = try await harness.judged(name)
    payload.receive(
      .chosen(
        .init(
          root: harness.context.settings.box, directory: payload.drop.location.parent,
          name: payload.drop.location.lastComponent, number: 0, replaces: false)))
    return payload
  }

  @Test func `each name is in its place`() async throws {
    try await FlowHarness.with { harness in
      for directory in ["Z/sub", "B/sub"] { try harness.path(directory).makeDirectory() }
      var payload = try await decided("sub/a.txt", harness)
      let id = payload.id
      for (name, expected) in [
        (Delivery.Name.hold, "B.hold/\(payload.drop.entry)"), (.origin, "Z/sub/a.txt"),
        (.destination, "B/sub/a.txt"), (.temporary, "B/sub/.dropzone-\(id)"), (.reason, "B/sub/a.txt.reason.json"),
        (.halfCopy, "Z/sub/.dropzone-\(id)"),
      ] {
        let place = try harness.runner.files.place(of: name, payload)
        #expect(place.directory.path.appending(place.name) == harness.path(expected), "\(name)")
      }
      payload.delivery.drop.source = harness.path("R/a.1.txt")
      for (name, expected) in [(Delivery.Name.oldReason, "R/a.1.txt"), (.origin, "R/a.txt")] {
        let place = try harness.runner.files.place(of: name, payload)
        #expect(place.directory.path.appending(place.name) == harness.path(expected), "\(name)")
      }
    }
  }

  // MARK: - Removing

  @Test func `a name is removed only if it leads to the payload`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await decided("a.txt", harness)
      try harness.write("Z/a.txt", "another")
      for name in [Name.origin, .hold, .hold] { #expect(harness.runner.files.remove(name, of: payload).isDone) }
      #expect(harness.text("Z/a.txt") == "another" && harness.names("B.hold").isEmpty)
    }
  }

  @Test func `temporary names are ours alone`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await decided("a.txt", harness)
      try harness.write("B/.dropzone-\(payload.id)", "half of a copy")
      #expect(harness.runner.files.remove(.temporary, of: payload).isDone && harness.names("B").isEmpty)
    }
  }

  @Test func `a reason is removed only if it is the payload's`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await decided("a.txt", harness)
      try harness.write("B/a.txt.reason.json", "{\"id\": \"another\"}")
      #expect(harness.runner.files.remove(.reason, of: payload).isDone)
      #expect(harness.names("B") == ["a.txt.reason.json"])
      try harness.write("B/a.txt.reason.json", "{\"id\": \"\(payload.id)\"}")
      #expect(harness.runner.files.remove(.reason, of: payload).isDone && harness.names("B").isEmpty)
    }
  }

  @Test func `a name whose directory is gone is gone, except what a placed payload has in its hold`() async throws {
    try await FlowHarness.with { harness in
      var payload = try await decided("sub/a.txt", harness)
      #expect(harness.runner.files.remove(.origin, of: payload).isDone)
      #expect(harness.runner.files.remove(.temporary, of: payload).isDone)
      payload.delivery.drop.state = .placed
      payload.delivery.drop.move(toHold: harness.path("away").description)
      #expect(harness.runner.files.remove(.hold, of: payload).kind == .holdMissing)
      // A power cut took it back to the zone, where it is removed next.
      try harness.path("Z/sub").makeDirectory()
      try harness.path("B.hold/\(payload.drop.entry)").rename(to: harness.path("Z/sub/a.txt"))
      #expect(harness.runner.files.remove(.hold, of: payload).isDone)
    }
  }

  // MARK: - Renaming

  private func rename(
    _ name: Name, to other: Name, replacing: Bool = false, _ payload: ClaimedPayload, _ harness: FlowHarness
  ) -> Delivery.Event {
    harness.runner.files.rename(name, to: other, replacing: replacing, payload)
  }

  @Test func `a rename replaces nothing unless it is told to`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await decided("a.txt", harness)
      try harness.write("B/a.txt", "earlier")
      #expect(rename(.hold, to: .destination, payload, harness).kind == .exists)
      #expect(harness.text("B/a.txt") == "earlier" && harness.names("B.hold").count == 1)
      #expect(rename(.hold, to: .destination, replacing: true, payload, harness).kind == nil)
      #expect(harness.text("B/a.txt") == "hello" && harness.names("B.hold").isEmpty)
    }
  }

  @Test func `a rename to another file system says so`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let payload = try await decided("a.txt", harness)
      #expect(rename(.hold, to: .destination, payload, harness).kind == .otherFileSystem)
    }
  }

  @Test func `what is missing at a rename is told apart`() async throws {
    try await FlowHarness.with { harness in
      // The directory that it was to go to.
      var payload = try await decided("sub/a.txt", harness)
      #expect(rename(.hold, to: .destination, payload, harness).kind == .other)
      // Its hold.
      try harness.path("B/sub").makeDirectory()
      try harness.path("B.hold").rename(to: harness.path("away"))
      #expect(rename(.hold, to: .destination, payload, harness).kind == .holdMissing)
      try harness.path("away").rename(to: harness.path("B.hold"))
      // The payload itself.
      try harness.heldPath(payload).removeFile()
      #expect(rename(.hold, to: .destination, payload, harness).kind == .missing)
      payload.delivery.drop.source = harness.path("R/gone.txt")
      #expect(rename(.origin, to: .hold, payload, harness).kind == .missing)
    }
  }

  @Test func `a name that is too long says how long it may be`() async throws {
    try await FlowHarness.with { harness in
      var payload = try await decided("a.txt", harness)
      payload.delivery.drop.destinationName = RawPath(String(repeating: "n", count: 256))
      payload.delivery.wishes.name = payload.delivery.drop.destinationName
      guard case .failed(let failure) = rename(.hold, to: .destination, payload, harness) else {
        Issue.record("it was renamed")
        return
      }
      #expect(failure == .init(.nameTooLong, "the name has 256 bytes and the box takes 255"))
    }
  }

  @Test(.enabled(if: Machine.isRoot && Machine.has(program: "chattr")))
  func `a payload that may not be changed is told from a place that may not`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await decided("a.txt", harness)
      func chattr(_ flag: RawPath, _ path: RawPath) async throws {
        #expect(try await Program.run("/usr/bin/chattr", [flag, path]).status == 0)
      }
      try await chattr("+i", harness.heldPath(payload))
      let own = rename(.hold, to: .destination, payload, harness)
      try await chattr("-i", harness.heldPath(payload))
      try await chattr("+i", harness.path("B"))
      let box = rename(.hold, to: .destination, payload, harness)
      try await chattr("-i", harness.path("B"))
      #expect(own.kind == .immutable && (box.kind == .notPermitted || box.kind == .accessDenied))
    }
  }

  @Test func `only what goes back to the zone is looked at after its rename`() async throws {
    try await FlowHarness.with { harness in
      let payload = try await decided("a.txt", harness)
      guard case .renamed(let status?) = rename(.hold, to: .origin, payload, harness) else {
        Issue.record("it was not looked at")
        return
      }
      #expect(try status == harness.status("Z/a.txt"))
    }
  }

  // MARK: - Errors

  @Test(arguments: [
    (Errno.noEntry, Delivery.Failure.Kind.missing), (.notDirectory, .missing), (.loop, .missing), (.exists, .exists),
    (.crossDevice, .otherFileSystem), (.notSupported, .unsupported), (.access, .accessDenied),
    (.notPermitted, .notPermitted), (.nameTooLong, .nameTooLong), (.invalid, .nameRefused), (.noSpace, .noRoom),
    (.quota, .noRoom), (.fileTooLarge, .tooLarge), (.readOnly, .readOnly), (.again, .changed), (.busy, .other),
  ])
  func `an error number means the same wherever it is met`(errno: Errno, kind: Delivery.Failure.Kind) {
    #expect(Delivery.Failure(errno).kind == kind)
    #expect(Delivery.Failure(errno).message == errno.description)
  }

  @Test func `a full ledger is waited for, and a broken one is not`() {
    #expect(Delivery.Failure(LedgerError.noRoom(path: "l", message: "full")).kind == .ledgerNoRoom)
    #expect(Delivery.Failure(LedgerError.damaged(path: "l", message: "torn")).kind == .other)
  }
}

extension Delivery.Event {
  /// What failed; nil if nothing did.
  fileprivate var kind: Delivery.Failure.Kind? {
    if case .failed(let failure) = self { failure.kind } else { nil }
  }
}
