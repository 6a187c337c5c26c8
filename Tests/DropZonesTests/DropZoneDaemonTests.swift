import DropEngine
import Support
import Testing

/// Tests of the program around declared zones: its command line and its signals.
@Suite(.timeLimit(.minutes(1))) struct DropZoneDaemonTests {
  private func run(_ words: [String]) async throws -> Program.Result {
    try await Program.run(Executables.directory + "/TestDaemon", words.map { RawPath($0) })
  }

  @Test func `it has the options of every daemon, and its own`() async throws {
    let help = try await run(["--help"])
    #expect(help.status == 0 && help.output.hasPrefix("usage: TestDaemon [--state DIR] [--socket PATH]"))
    #expect(try await run(["--version"]).output.hasPrefix("TestDaemon "))
    let wrong = try await run(["--root", "/nowhere", "--chek"])
    #expect(wrong.status == 64)
    #expect(wrong.errors == "TestDaemon: unknown option '--chek'; did you mean '--check'?\n")
    let missing = try await run(["--mode"])
    #expect(missing.status == 64)
    #expect(missing.errors == "TestDaemon: '--mode' needs a path; see --help\n")
  }

  @Test func `zones are checked before they are served`() async throws {
    try await Scratch.with { scratch in
      let fine = try await run(["--check", "--mode", "plain", "--root", scratch.string])
      #expect(fine.status == 0 && fine.output.hasPrefix("1 zone: the configuration is valid\n"))
      let relative = try await run(["--check", "--mode", "plain", "--root", "here"])
      #expect(relative.status == 78)
      #expect(relative.errors == "zone 'zone': 'here/drop' is not absolute\n")
      let served = try await run(["--mode", "plain", "--root", "here", "--state", scratch.string + "/state"])
      #expect(served.status == 78)
    }
  }

  @Test func `signals reload and stop it`() async throws {
    try await Scratch.with { scratch in
      try scratch.path.appending("drop").makeDirectory()
      let rig = TestDaemonRig(scratch: scratch, mode: "plain")
      let command = try await rig.start()
      command.sendToGroup(.hangUp)
      #expect(try await rig.until { rig.said.contains("reloaded: 1 zone") })
      try await rig.put("a")
      #expect(try await rig.control.wait())
      #expect(try await rig.outcomes() == ["a": "delivered"])
      #expect(await rig.stop(command) == .code(0))
    }
  }
}
