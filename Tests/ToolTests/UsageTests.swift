import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct UsageTests {
  @Test(arguments: [
    (["stats"], "dropzone: no command 'stats'; did you mean 'status'?"),
    (["frobnicate"], "dropzone: no command 'frobnicate'"),
    (["st\u{1B}[31m"], "dropzone: no command 'st\\u{1B}[31m'"),
    (["status", "--jsn"], "dropzone: status: no option '--jsn'; did you mean '--json'?"),
    (["status", "--frobnicate"], "dropzone: status: no option '--frobnicate'; dropzone status --help lists them"),
    (["status", "--json=yes"], "dropzone: status: '--json' takes no value"),
    (["--sokcet", "x", "status"], "dropzone: no option '--sokcet'; did you mean '--socket'?"),
    (["--socket"], "dropzone: '--socket' wants a value, PATH"),
    (["explain"], "dropzone: explain: the path of one file is wanted"),
    (["explain", "a", "b"], "dropzone: explain: the path of one file is wanted"),
    (["put", "a"], "dropzone: put: files and the name of a zone are wanted"),
    (["put", "a", "z", "--timeout", "5s"], "dropzone: put: --timeout goes with --wait"),
    (["wait", "--timeout", "5x"], "dropzone: wait: '5x' is no time for --timeout: write 500ms, 30s, 5min, 2h or 1d"),
    (["retry"], "dropzone: retry: the id of a drop is wanted; history and rejects list them"),
    (["undo", "abc"], "dropzone: undo: 'abc' is no id of a drop: those have 26 letters and digits"),
    (["pause"], "dropzone: pause: the name of a zone is wanted"),
    (["reload", "now"], "dropzone: reload: nothing is wanted where 'now' stands"),
    (["history", "a", "b"], "dropzone: history: one zone at most is wanted, and 'b' is the second"),
    (
      ["history", "--since", "soon"],
      "dropzone: history: 'soon' is no time: write 2026-03-01T09:30:00Z, 2026-03-01, today, 10min or 2h"
    ),
    (["type"], "dropzone: type: a file is wanted"),
    (["help", "stats"], "dropzone: no command 'stats'; did you mean 'status'?"),
  ])
  func `what makes no sense is named in one line, and ends with 64`(words: [String], message: String) async throws {
    let result = try await Program.run(Executables.client, words.map { RawPath($0) })
    #expect(result.status == 64)
    #expect(result.errors == message + "\n")
    #expect(result.output.isEmpty)
  }

  @Test func `no command at all lists them, and ends with 64`() async throws {
    let result = try await Program.run(Executables.client, [])
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("dropzone: a command is wanted: status, explain, put, "))
  }

  @Test func `every command says what it does`() async throws {
    let general = try await Program.run(Executables.client, ["--help"])
    #expect(general.status == 0)
    let verbs = [
      "status", "explain", "put", "history", "rejects", "retry", "release", "undo", "pause", "resume", "reload",
      "wait", "type", "check",
    ]
    for verb in verbs {
      #expect(general.output.contains("\n  \(verb) "))
      let result = try await Program.run(Executables.client, [RawPath(verb), "--help"])
      #expect(result.status == 0)
      #expect(result.output.hasPrefix("Usage: dropzone \(verb) "))
      #expect(try await Program.run(Executables.client, ["help", RawPath(verb)]).output == result.output)
    }
  }

  @Test(arguments: [
    ["status"], ["status", "--watch"], ["explain", "/a"], ["put", "/etc/hostname", "z"], ["history"], ["rejects"],
    ["retry", "01kk0000000000000000000000"], ["pause", "z"], ["resume", "z"], ["reload"], ["wait"],
  ])
  func `without a daemon every command that needs one ends with 69`(words: [String]) async throws {
    let scratch = try ScratchDirectory()
    let socket = RawPath(scratch.appending("none"))
    let result = try await Program.run(Executables.client, ["--socket", socket] + words.map { RawPath($0) })
    #expect(result.status == 69)
    #expect(result.errors == "dropzone: no daemon answers at '\(socket)': No such file or directory\n")
  }

  @Test func `a socket that a dead daemon left is no daemon`() async throws {
    let scratch = try ScratchDirectory()
    try await Program.run(
      "/usr/bin/env",
      [
        "python3", "-c", "import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])",
        RawPath(scratch.appending("c")),
      ])
    let result = try await Program.run(Executables.client, ["--socket", RawPath(scratch.appending("c")), "status"])
    #expect(result.status == 69)
    #expect(result.errors.hasSuffix(": Connection refused\n"))
  }

  @Test(.enabled(if: Machine.isRoot, "only root can be another user"))
  func `the socket is found where the session has it`() async throws {
    try await ControlRig.run(openToAll: true) { rig in
      try await Program.run("/bin/ln", ["-s", ".", RawPath(rig.scratch.appending("dropzone"))])
      let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"].map { RawPath($0) }
      let result = try await Program.run(
        "/usr/bin/setpriv", nobody + [try await rig.openTool(), "status"],
        environment: ["XDG_RUNTIME_DIR": rig.scratch.path])
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test func `a name that is no text goes through as it is`() async throws {
    try await ControlRig.run { rig in
      let path = RawPath(bytes: Array("/srv/drop/invoices/a".utf8) + [0xFF, 0x0A])
      let result = try await Program.run(Executables.client, ["--socket", rig.path, "explain", path])
      #expect(result.status == 0)
      #expect(result.output.contains("location  a\\xFF\\u{A}\n"))
    }
  }
}
