import DropEngine
import DropZones
import Support
import Synchronization
import Testing

/// Tests of a service in the test process. They run one at a time, because a process can have only one reader of kernel events.
@Suite(.serialized) struct DropZoneServiceTests {
  @Test(.timeLimit(.minutes(1)))
  func `declared zones deliver while the task runs, change at a reload, and end with the task`() async throws {
    let scratch = try Scratch()
    let root = scratch.path.description
    for name in ["letters", "notes", "more"] { try scratch.path.appending(RawPath(name)).makeDirectory() }
    let names = Mutex(["letters", "notes"])
    let service = DropZoneService(state: root + "/state", socket: root + "/sock") {
      for name in names.withLock({ $0 }) {
        DropZone(name, at: "\(root)/\(name)", box: "\(root)/box-\(name)", tint: .green) { _ in true }
          .accept(types: [.plainText])
          .staging(quiet: .milliseconds(100))
      }
    }
    await #expect(throws: DropZoneError.self) { try await service.reload() }
    let running = Task { try await service.run() }
    let probe = ControlProbe(socket: scratch.path.appending("sock"), scratch: scratch)
    // The socket answers once everything is watched.
    while try await probe.ask(["status"]).exit != .code(0) { await Task.yield() }
    try scratch.path.appending("letters/a.txt").write("dear\n")
    try scratch.path.appending("notes/b.txt").write("\0\u{1}")
    #expect(try await probe.wait())
    #expect(try await outcomes(probe) == ["letters/a.txt delivered", "notes/b.txt rejected"])

    names.withLock { $0 = ["letters", "more"] }
    try await service.reload()
    #expect(try await probe.status().zones.map(\.name) == ["letters", "more"])
    names.withLock { $0 = ["more", "more"] }
    await #expect(throws: DropZoneError.self) { try await service.reload() }
    #expect(try await probe.status().zones.map(\.name) == ["letters", "more"])
    try scratch.path.appending("more/c.txt").write("text\n")
    #expect(try await probe.wait())
    #expect(try await outcomes(probe).contains("more/c.txt delivered"))
    running.cancel()
    try await running.value
  }

  private func outcomes(_ probe: ControlProbe) async throws -> [String] {
    try await probe.history().map { "\($0.zone)/\($0.name) \($0.outcome.rawValue)" }.sorted()
  }

  @Test func `a second service with the same state directory is refused`() async throws {
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

  @Test func `a program's own type can consist of zones`() {
    #expect(zones(isArchived: false).map(\.name) == ["first", "todo", "doing"])
    #expect(zones(isArchived: true).map(\.name) == ["first", "todo", "doing", "archive"])
  }

  @Test func `a tint is one of the names, or a hexadecimal colour`() {
    #expect(DropZone.Tint("teal") == .teal)
    #expect(DropZone.Tint("#12aBff") != nil)
    #expect(DropZone.Tint("blu") == nil)
    #expect(DropZone.Tint("#12345") == nil)
  }
}
