import DropEngine
import Support
import Testing

/// Checks that the README is correct.
@Suite(.timeLimit(.minutes(2))) struct ReadmeTests {
  static let repository = RawPath(String(#filePath.dropLast("/Tests/ToolTests/ReadmeTests.swift".count)))
  let readme: MarkdownFile
  var lines: [String] { readme.lines }

  init() throws {
    readme = try MarkdownFile(Self.repository.appending("README.md"))
  }

  @Test func `the commands for the first zone take and refuse what the README says`() async throws {
    // The programs are already built, and a script is faster than a person, so it must wait for the daemon.
    let commands = readme.blocks("sh", below: "## A first zone").map(\.text).joined(separator: "\n")
      .replacing("swift build\n", with: "")
      .replacing(".build/debug", with: Executables.directory)
      .replacing(
        "\ndropzone() {", with: "\nuntil [ -S ~/try/socket ]; do kill -0 $!; sleep 0.02; done\ndropzone() {")
    try await Scratch.with { scratch in
      let script = scratch.path.appending("script")
      try script.write("set -e\ncd '\(Self.repository)'\ntrap 'kill $!' EXIT\n\(commands)\ntrap - EXIT\nwait\n")
      let end = try await Program.run("/bin/bash", [script], environment: ["HOME": scratch.string])
      #expect(end.status == 0, "\(end.output)\(end.errors)")
      let box = scratch.path.appending("try/box")
      for place in ["documents/letter.txt", "documents/LICENSE"] {
        #expect(box.appending(RawPath(place)).exists, "\(place) is missing: \(end.output)\(end.errors)")
      }
      // After the retry, the file may be in the rejects under another name.
      let refused = try ScratchDirectory.names(in: box.appending("documents.rejects").description)
      #expect(refused.count == 2 && refused.contains { $0.hasSuffix(".pdf.reason.json") }, "\(refused)")
    }
  }

  @Test func `every zone file in the README is valid`() async throws {
    for block in readme.blocks("ini") { try await check(block.text) }
  }

  @Test func `every default in the table of keys is a valid value`() async throws {
    let keys = keys.filter { !$0.value.isEmpty }
    var text = "[Zone]\nPath=/srv/drop\nBox=/srv/box\n"
    for group in ["Zone", "Accept", "Staging", "Handler", "Delivery"] {
      if group != "Zone" { text += "[\(group)]\n" }
      text += keys.filter { $0.group == group }.map { "\($0.name)=\($0.value)\n" }.joined()
    }
    #expect(keys.count > 20)
    try await check(text)
  }

  @Test func `the table has the keys of the manual page, except those that are not implemented yet`() throws {
    let manual = Self.repository.appending("systemd/man/dropzone.zone.5").lines().filter { $0.hasPrefix(".It Cm ") }
      .flatMap { line in line.split(separator: " , ").map { $0.split(separator: " ") } }
      .compactMap { words in words.firstIndex(of: "Cm").flatMap { words[($0 + 1)...].first }.map(String.init) }
    #expect(Set(keys.map(\.name)) == Set(manual).subtracting(["Unit", "Profile"]))
    #expect(lines.contains { $0.contains("`Unit=directory` and `Profile=`") })
  }

  @Test func `every file that the README names exists`() {
    let named = lines.flatMap { $0.matches(of: /(?:Examples|Sources|Tests|systemd)\/[A-Za-z0-9\/._-]*[A-Za-z0-9]/) }
      .map { String($0.output) }
    #expect(named.contains("Examples/quickstart"))
    for path in named { #expect(Self.repository.appending(RawPath(path)).exists, "there is no \(path)") }
  }

  // MARK: -

  private struct Key {
    let group, name, value: String
  }

  /// The rows of the table of keys: "| `[Zone]` | `Prune=no` | …".
  private var keys: [Key] {
    lines.compactMap { line in
      line.firstMatch(of: /^\| `\[(\w+)\]` \| `(\w+)=([^`]*)` \|/).map {
        Key(group: String($0.output.1), name: String($0.output.2), value: String($0.output.3))
      }
    }
  }

  private func check(_ zone: String) async throws {
    try await Scratch.with { scratch in
      try scratch.path.appending("zones").makeDirectory()
      try scratch.path.appending("zones/a.zone").write(zone)
      let end = try await Program.run(Executables.daemon, ["--config", scratch.path, "--check"])
      #expect(end.status == 0, "\(end.output)\(end.errors)\(zone)")
    }
  }
}
