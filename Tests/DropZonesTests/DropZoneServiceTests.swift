import DropEngine
import DropZones
import Support
import Testing

/// A service in the process of the test: there is one reader of kernel events in a process, so one at a time.
@Suite(.serialized) struct DropZoneServiceTests {
  @Test(.timeLimit(.minutes(1)))
  func `declared zones deliver while the task runs and end with it`() async throws {
    let scratch = try Scratch()
    let root = scratch.path.description
    let socket = RawPath(root + "/sock")
    let names = ["letters", "notes"]
    for name in names {
      let made = try await Command.run(["/bin/mkdir", "\(root)/\(name)"], in: scratch)
      #expect(made.exit == .code(0))
    }
    let service = DropZoneService(state: root + "/state", socket: socket.description) {
      for name in names {
        DropZone(name, at: "\(root)/\(name)", box: "\(root)/box-\(name)", tint: .green)
          .accept(types: [.plainText])
          .staging(quiet: .milliseconds(100))
      }
    }
    let running = Task { try await service.run() }
    let probe = ControlProbe(socket: socket, scratch: scratch)
    // The socket answers once everything is watched.
    while try await probe.ask(["status"]).exit != .code(0) { await Task.yield() }
    #expect(
      try await Command.run(
        ["/bin/sh", "-c", "echo dear > \(root)/letters/a.txt; printf '\\0\\1' > \(root)/notes/b.txt"], in: scratch
      )
      .exit == .code(0))
    #expect(try await probe.wait())
    let outcomes = try await probe.history().map { "\($0.zone)/\($0.name) \($0.outcome.rawValue)" }
    #expect(outcomes.sorted() == ["letters/a.txt delivered", "notes/b.txt rejected"])
    running.cancel()
    try await running.value
  }

  @Test func `a second service on the same state says so`() async throws {
    let scratch = try Scratch()
    let state = scratch.path.description + "/state"
    let missing = DropZoneService(state: state, socket: "/nowhere/at/all/sock") {
      DropZone("a", at: "/nowhere/a", box: "/nowhere/b")
    }
    await #expect(throws: DropZoneError.self) { try await missing.run() }
  }
}

@Suite struct ZonesBuilderTests {
  struct Board: Zones {
    let columns: [String]

    var body: [DropZone] {
      for column in columns {
        DropZone(column, at: "/board/\(column)", box: "/done/\(column)")
      }
    }
  }

  @ZonesBuilder private func zones(isArchived: Bool) -> [DropZone] {
    DropZone("first", at: "/a", box: "/b")
    Board(columns: ["todo", "doing"])
    if isArchived { DropZone("archive", at: "/c", box: "/d") }
  }

  @Test func `zones of one's own are made of zones`() {
    #expect(zones(isArchived: false).map(\.name) == ["first", "todo", "doing"])
    #expect(zones(isArchived: true).map(\.name) == ["first", "todo", "doing", "archive"])
  }

  @Test func `a tint is one of the names or a number`() {
    #expect(DropZone.Tint("teal") == .teal)
    #expect(DropZone.Tint("#12aBff") != nil)
    #expect(DropZone.Tint("blu") == nil)
    #expect(DropZone.Tint("#12345") == nil)
  }
}
