import DropEngine
import Support
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: Example.areBuilt, "\(Example.howToBuild)")) struct HighlightTests {
  @Test func `without a terminal, each change is one sentence`() async throws {
    try await Example.run("DropZoneHighlight") { program, _ in
      #expect(program.lines == ["Drop here, idle. Waiting: nothing. In the box: nothing."])
      try await program.begin("letter.txt", "dear\n")
      let targeted = "Drop here, targeted, Release to add. Waiting: letter.txt ("
      #expect(try await program.until { program.lines.last?.hasPrefix(targeted) == true })
      try await program.finish()
      #expect(
        try await program.until {
          program.lines.last == "Drop here, taken. Waiting: nothing. In the box: letter.txt."
        })
      try await program.shell("echo > keys")
      #expect(
        try await program.until { program.lines.last == "Drop here, taken. Waiting: nothing. In the box: nothing." })
      #expect(!program.holds("box/letter.txt"))
    }
  }

  /// Runs on a pseudo-terminal that script(1) creates.
  @Test(.enabled(if: RawPath("/usr/bin/script").exists, "script(1) is not installed"), arguments: [false, true])
  func `on a terminal the border becomes solid, and larger unless motion is reduced`(isReduced: Bool) async throws {
    try await Scratch.with { scratch in
      let example = Example("DropZoneHighlight", in: scratch)
      let command = (isReduced ? "export REDUCE_MOTION=1; " : "") + example.command
      let program = ZoneProgram(
        ["/usr/bin/script", "-qefc", command, "/dev/null"], socket: scratch.path.appending("socket"), in: scratch)
      try await program.whileServing { program in
        func screen() -> String { program.lines.joined(separator: "\n") }
        let dashed = String(repeating: "╌", count: 32)
        #expect(try await program.until { screen().contains("    ╭\(dashed)╮") })
        #expect(screen().contains("⤓  Drop here") && screen().contains("In the box: nothing"))
        try await program.begin("letter.txt", "dear\n")
        let solid = String(repeating: "━", count: isReduced ? 32 : 36)
        let margin = isReduced ? "    " : "  "
        #expect(try await program.until { screen().contains("\(margin)\u{1B}[32m┏\(solid)┓") })
        #expect(screen().contains("⤓  Release to add") && screen().contains("Waiting: letter.txt ("))
        try await program.finish()
        #expect(try await program.until { screen().contains("In the box: letter.txt") })
      }
    }
  }
}
