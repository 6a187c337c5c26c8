import DropControl
import DropEngine
import DropSystem
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct ControlSocketTests {
  private func socket(at path: String, group: String = "nogroup") throws -> ControlSocket {
    try ControlSocket(at: RawPath(path), group: group)
  }

  private func facts(of path: String) async throws -> String {
    try await Program.run("/usr/bin/stat", ["-c", "%F %a %G", RawPath(path)]).output
  }

  @Test func `the file is accessible to its owner and the group, and is removed with the socket`() async throws {
    let scratch = try ScratchDirectory()
    let path = scratch.appending("control")
    do {
      let socket = try socket(at: path)
      let isRoot = UserDatabase.effectiveUser == 0
      let facts = try await facts(of: path)
      #expect(facts.hasPrefix("socket 660 " + (isRoot ? "nogroup" : "")))
      _ = consume socket
    }
    #expect(!RawPath(path).exists)
  }

  @Test func `if the group does not exist, the file keeps its group`() async throws {
    let scratch = try ScratchDirectory()
    let socket = try socket(at: scratch.appending("control"), group: "no-such-group-here")
    #expect(try await facts(of: scratch.appending("control")).hasPrefix("socket 660 "))
    _ = consume socket
  }

  @Test func `a missing directory is created, but its parent is not`() throws {
    let scratch = try ScratchDirectory()
    let socket = try socket(at: scratch.appending("dropzone/control"))
    #expect(RawPath(scratch.appending("dropzone/control")).exists)
    #expect(throws: ControlSocketError.failed(RawPath(scratch.appending("a/b/control")), .noEntry)) {
      _ = try ControlSocket(at: RawPath(scratch.appending("a/b/control")), group: "nogroup")
    }
    _ = consume socket
  }

  @Test func `the socket of a dead daemon is replaced`() async throws {
    let scratch = try ScratchDirectory()
    let path = scratch.appending("control")
    try await Program.run(
      "/usr/bin/env",
      ["python3", "-c", "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", RawPath(path)])
    #expect(RawPath(path).exists)
    let socket = try socket(at: path)
    #expect(RawPath(path).exists)
    _ = consume socket
  }

  @Test func `a running daemon keeps its socket, and the error names the process`() throws {
    let scratch = try ScratchDirectory()
    let path = RawPath(scratch.appending("control"))
    let living = try ControlSocket(at: path, group: "nogroup")
    do {
      _ = try ControlSocket(at: path, group: "nogroup")
      Issue.record("two daemons listen on one socket")
    } catch {
      guard case .inUse(let process) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(process == ProcessNumber.own)
    }
    #expect(path.exists)
    _ = consume living
  }

  @Test func `a file that is not a socket is left alone`() throws {
    let scratch = try ScratchDirectory()
    let path = RawPath(try scratch.file("control", [1]))
    #expect(throws: ControlSocketError.notASocket(path)) { _ = try ControlSocket(at: path, group: "nogroup") }
    #expect(try path.contents() == [1])
  }

  @Test func `a socket that has replaced ours is not removed`() async throws {
    let scratch = try ScratchDirectory()
    let path = RawPath(scratch.appending("control"))
    let first = try ControlSocket(at: path, group: "nogroup")
    try await Program.run("/bin/mv", [path, RawPath(scratch.appending("moved"))])
    let second = try ControlSocket(at: path, group: "nogroup")
    _ = consume first
    #expect(path.exists)
    _ = consume second
    #expect(!path.exists)
  }

  @Test func `a path of any length works`() async throws {
    let scratch = try ScratchDirectory()
    let deep = try scratch.directory(String(repeating: "d", count: 200))
    let path = RawPath(deep + "/control")
    let server = try ControlServer(
      on: ControlSocket(at: path, group: "nogroup"), serving: ScriptedZones(), version: "1")
    let serving = Task { await server.run() }
    let names = try await offPool { try ControlClient(at: path).list([]).zones.map(\.name) }
    #expect(names == ["invoices", "photos"])
    serving.cancel()
    await serving.value
  }

  @Test func `root, the daemon's user and members of the group may make changes`() {
    let rights = ControlRights(owner: 1_000, admins: 77)
    func may(_ user: UInt32, _ groups: Set<UInt32>) -> Bool {
      rights.mayChange(PeerCredentials(process: 1, user: user, groups: groups))
    }
    #expect(may(0, [0]))
    #expect(may(1_000, [1_000]))
    #expect(may(2_000, [2_000, 77]))
    #expect(!may(2_000, [2_000, 0, 1_000]))
    #expect(!ControlRights(owner: 1_000, admins: nil).mayChange(PeerCredentials(process: 1, user: 2, groups: [0])))
  }
}

private enum ProcessNumber {
  static var own: Int32? {
    RawPath("/proc/self/stat").lines().first?.split(separator: " ").first.flatMap { Int32($0) }
  }
}
