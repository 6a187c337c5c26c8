import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct UsageTests {
  @Test(arguments: [
    (["stats"], "dropzone: unknown command 'stats'; did you mean 'status'?"),
    (["frobnicate"], "dropzone: unknown command 'frobnicate'"),
    (["st\u{1B}[31m"], "dropzone: unknown command 'st\\u{1B}[31m'"),
    (["status", "--jsn"], "dropzone: status: unknown option '--jsn'; did you mean '--json'?"),
    (["status", "--frobnicate"], "dropzone: status: unknown option '--frobnicate'; dropzone status --help lists them"),
    (["status", "--json=yes"], "dropzone: status: '--json' takes no value"),
    (["--sokcet", "x", "status"], "dropzone: unknown option '--sokcet'; did you mean '--socket'?"),
    (["--socket"], "dropzone: '--socket' needs a value, PATH"),
    (["explain"], "dropzone: explain: give the path of one file"),
    (["explain", "a", "b"], "dropzone: explain: give the path of one file"),
    (["put", "a"], "dropzone: put: give at least one file and the name of a zone"),
    (["put", "a", "z", "--timeout", "5s"], "dropzone: put: --timeout requires --wait"),
    (
      ["wait", "--timeout", "5x"], "dropzone: wait: '5x' is not a time; write --timeout like 500ms, 30s, 5min, 2h or 1d"
    ),
    (["retry"], "dropzone: retry: give at least one drop id; 'rejects' and 'history --json' list them"),
    (["undo", "abc"], "dropzone: undo: 'abc' is not a drop id; a drop id has 26 letters and digits"),
    (["pause"], "dropzone: pause: give the name of at least one zone"),
    (["reload", "now"], "dropzone: reload: unexpected argument 'now'"),
    (["history", "a", "b"], "dropzone: history: unexpected argument 'b' after the name of a zone"),
    (
      ["history", "--since", "soon"],
      "dropzone: history: 'soon' is not a time; write 2026-03-01T09:30:00Z, 2026-03-01, today, 10min or 2h"
    ),
    (["type"], "dropzone: type: give at least one file"),
    (["help", "stats"], "dropzone: unknown command 'stats'; did you mean 'status'?"),
  ])
  func `a usage error is explained in one line, and exits with 64`(words: [String], message: String) async throws {
    let result = try await Program.run(Executables.client, words.map { RawPath($0) })
    #expect(result.status == 64)
    #expect(result.errors == message + "\n")
    #expect(result.output.isEmpty)
  }

  @Test func `without a command, the tool lists the commands and exits with 64`() async throws {
    let result = try await Program.run(Executables.client, [])
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("dropzone: no command given; the commands are status, explain, put, "))
  }

  @Test func `every command has help`() async throws {
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
  func `without a daemon, every command that needs one exits with 69`(words: [String]) async throws {
    let scratch = try ScratchDirectory()
    let socket = RawPath(scratch.appending("none"))
    let result = try await Program.run(Executables.client, ["--socket", socket] + words.map { RawPath($0) })
    #expect(result.status == 69)
    #expect(result.errors == "dropzone: cannot connect to a daemon at '\(socket)': No such file or directory\n")
  }

  @Test func `a socket left by a dead daemon counts as no daemon`() async throws {
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
  func `the socket is found in the session's runtime directory`() async throws {
    try await ControlRig.run(openToAll: true) { rig in
      try await Program.run("/bin/ln", ["-s", ".", RawPath(rig.scratch.appending("dropzone"))])
      let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"].map { RawPath($0) }
      let result = try await Program.run(
        "/usr/bin/setpriv", nobody + [try await rig.openTool(), "status"],
        environment: ["XDG_RUNTIME_DIR": rig.scratch.path])
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test func `a name that is not valid text is passed on unchanged`() async throws {
    try await ControlRig.run { rig in
      let path = RawPath(bytes: Array("/srv/drop/invoices/a".utf8) + [0xFF, 0x0A])
      let result = try await Program.run(Executables.client, ["--socket", rig.path, "explain", path])
      #expect(result.status == 0)
      #expect(result.output.contains("location  a\\xFF\\u{A}\n"))
    }
  }
}
