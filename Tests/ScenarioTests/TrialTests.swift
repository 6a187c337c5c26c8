import DropEngine
import Support
import Testing

/// Short versions of the long trials in `Tests`, which do their own counting.
@Suite(.serialized) struct TrialTests {
  @Test func `kills at random moments do not lose, duplicate or truncate any payload`() async throws {
    try await run(["soak", "--kills", "12"])
  }

  @Test func `failing system calls do not lose, duplicate or truncate any payload`() async throws {
    try await run([
      "faults", "--calls", "renameat2 fsync", "--errors", "EIO", "--times", "always killed",
    ])
  }

  @Test func `lost events do not lose any files`() async throws {
    try await run(["overflow", "--files", "8000", "--way", "paused"])
  }

  private func run(_ words: [String]) async throws {
    try await Scratch.with { scratch in
      let tests = String(#filePath.dropLast("ScenarioTests/TrialTests.swift".count))
      var variables = Command.plainEnvironment
      variables["DZ_BIN"] = Executables.directory
      variables["TMPDIR"] = scratch.string
      let log = scratch.path.appending("log")
      let command = try Command(
        ["/bin/bash", tests + words[0]] + words.dropFirst(), environment: variables, output: log, errors: log)
      defer { command.sendToGroup(.kill) }
      let exit = await command.exit(within: .seconds(600))
      if exit == .code(77) { try Test.cancel("\(log.lines().joined(separator: " "))") }
      #expect(exit == .code(0), "\(words.joined(separator: " "))\n\(log.lines().suffix(60).joined(separator: "\n"))")
    }
  }
}
