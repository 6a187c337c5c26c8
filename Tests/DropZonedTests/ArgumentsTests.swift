import DropSystem
import DropZones
import Testing

@testable import dropzoned

@Suite struct ArgumentsTests {
  let root = ProcessContext(variables: [:], user: 0, workingDirectory: "/root", home: "/root")
  let user = ProcessContext(
    variables: ["HOME": "/home/u", "XDG_RUNTIME_DIR": "/run/user/1000"], user: 1000, workingDirectory: "/home/u")

  /// The parsed command line: the daemon's own options, and those of every daemon.
  private struct Arguments {
    let config: String
    let state: String
    let socket: String
    let action: DaemonArguments.Action
    let privateDirectory: String?

    init(_ words: [String], in context: ProcessContext) throws {
      var words = words
      config = try Dropzoned(arguments: &words, in: context).config
      let rest = try DaemonArguments(words, help: Dropzoned.help, in: context)
      (state, socket, action, privateDirectory) = (rest.state, rest.socket, rest.action, rest.privateDirectory)
    }
  }

  @Test func `without arguments, the daemon runs with the default paths`() throws {
    let arguments = try Arguments([], in: root)
    #expect(arguments.action == .run)
    #expect(arguments.config == "/etc/dropzone")
    #expect(arguments.state == "/var/lib/dropzone")
    #expect(arguments.socket == "/run/dropzone/control")
    #expect(arguments.privateDirectory == nil)
  }

  @Test(arguments: [
    ["--config", "/c", "--state", "/s", "--socket", "/x", "--check"],
    ["--check", "--config=/c", "--state=/s", "--socket=/x"],
  ])
  func `every path can be given`(words: [String]) throws {
    let arguments = try Arguments(words, in: user)
    #expect(arguments.action == .check)
    #expect([arguments.config, arguments.state, arguments.socket] == ["/c", "/s", "/x"])
  }

  @Test func `a relative path starts at the working directory`() throws {
    #expect(try Arguments(["--config", "conf"], in: user).config == "/home/u/conf")
    #expect(try Arguments(["--config", "conf"], in: ProcessContext(variables: [:], user: 0)).config == "/conf")
  }

  @Test func `help takes precedence over version, and version over check`() throws {
    #expect(try Arguments(["--version", "--check"], in: user).action == .version)
    #expect(try Arguments(["--help", "--version"], in: user).action == .help)
    #expect(try Arguments(["-h"], in: ProcessContext(variables: [:], user: 1000)).action == .help)
  }

  @Test(arguments: [
    (["--confg", "/c"], "unknown option '--confg'; did you mean '--config'?"),
    (["--stat=/c"], "unknown option '--stat'; did you mean '--state'?"),
    (["-verbose"], "unknown option '-verbose'; see --help"),
    (["check"], "unexpected argument 'check'; did you mean '--check'?"),
    (["/etc/dropzone"], "unexpected argument '/etc/dropzone'; see --help"),
    (["--config"], "'--config' needs a path; see --help"),
    (["--config="], "'--config' needs a path; see --help"),
    (["--config", "--check"], "'--config' needs a path, not '--check'; see --help"),
    (["--config", "/a", "--config", "/b"], "'--config' is given twice; see --help"),
    (["--check=yes"], "'--check' takes no value; see --help"),
    (["--\u{1B}[1m"], "unknown option '--\\u{1B}[1m'; see --help"),
    (
      ["--socket", "/" + String(repeating: "s", count: 107)],
      "the socket's path is longer than 107 bytes: '/\(String(repeating: "s", count: 107))'; see --help"
    ),
  ])
  func `a usage error is explained in one line`(words: [String], message: String) {
    #expect {
      try Arguments(words, in: root)
    } throws: {
      "\($0)" == message
    }
  }

  @Test func `a user without a home directory must give the paths`() {
    let nowhere = ProcessContext(variables: ["HOME": "relative"], user: 1000)
    #expect(throws: UsageError("there is no home directory; use '--config'")) { try Arguments([], in: nowhere) }
  }

  @Test func `a socket that was given needs no private directory`() throws {
    let bare = ProcessContext(variables: ["HOME": "/home/u"], user: 1000)
    #expect(try Arguments([], in: bare).privateDirectory == "/tmp/dropzone-1000")
    #expect(try Arguments(["--socket", "/x"], in: bare).privateDirectory == nil)
  }

  @Test func `usage errors and configuration errors have different exit statuses`() async throws {
    let zones = try Zones(["a.zone": "[Zone]\n"])
    #expect(await code(["--nonsense"]) == 64)
    #expect(await code(["--check", "--config", zones.path]) == 78)
    try zones.write(Array("[Zone]\nPath=/nowhere/a\nBox=/nowhere/b\n".utf8), to: "zones/a.zone")
    #expect(await code(["--check", "--config", zones.path]) == 0)
  }

  private func code(_ words: [String]) async -> Int32? {
    if case .exit(let code) = await DaemonMain<Dropzoned>.outcome(of: words, in: root) { code } else { nil }
  }
}
