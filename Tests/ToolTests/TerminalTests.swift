import DropEngine
import Support
import Testing

/// Runs the tool on a pseudo-terminal that script(1) creates.
@Suite(.timeLimit(.minutes(1)), .enabled(if: RawPath("/usr/bin/script").exists, "script(1) is not installed"))
struct TerminalTests {
  private func onTerminal(_ rig: ControlRig, _ words: String, environment: [String: String] = [:]) throws -> Program {
    try Program(
      "/usr/bin/script",
      [
        "-qefc", RawPath("stty cols 70 rows 20; exec '\(Executables.client)' --socket '\(rig.path)' \(words)"),
        "/dev/null",
      ],
      environment: ["TERM": "xterm", "COLUMNS": "", "NO_COLOR": ""].merging(environment) { $1 })
  }

  @Test func `status is coloured and fits the width, and NO_COLOR removes the colour`() async throws {
    try await ControlRig.run { rig in
      let coloured = try await onTerminal(rig, "status").end()
      #expect(coloured.output.contains("\u{1B}[2m╭╌ "))
      let plain = try await onTerminal(rig, "status", environment: ["NO_COLOR": "1"]).end()
      #expect(!plain.output.contains("\u{1B}"))
      #expect(plain.output.split(separator: "\r\n").first?.count == 70)
    }
  }

  @Test(arguments: [2, 15])
  func `status --watch draws over itself, and restores the terminal`(signal: Int32) async throws {
    let zones = ScriptedZones()
    try await ControlRig.run(zones) { rig in
      let watching = try onTerminal(rig, "status --watch")
      try await offPool { until { zones.followers == 1 } }
      zones.publish(ZoneStatus.sample("photos").targeted(by: "x.jpg"))
      var screen = ""
      while !screen.contains("x.jpg"), let line = try await watching.line() { screen += line + "\n" }
      // The tool is a child of script(1), which must not get the signal.
      let tool = try #require(ScreenReader.child(of: watching.process))
      try await Program.run("/bin/kill", [RawPath("-\(signal)"), RawPath("\(tool)")])
      let result = try await watching.end()
      screen += result.output
      #expect(result.status == (signal == 2 ? 0 : 128 + signal))
      #expect(screen.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
      #expect(screen.contains("●"))
      #expect(screen.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
      // The screen is cleared only once, at the start.
      #expect(screen.count(of: "\u{1B}[H\u{1B}[J") == 1)
    }
  }
}

private enum ScreenReader {
  /// The process that `parent` started.
  static func child(of parent: Int32) -> Int32? {
    RawPath("/proc/\(parent)/task/\(parent)/children").lines().first?.split(separator: " ").first.flatMap { Int32($0) }
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
