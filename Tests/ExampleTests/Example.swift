import DropEngine
import Support

/// An example, which `Tests/run` builds in addition to the tests, and the commands in its first lines.
struct Example {
  static let areBuilt = path(of: "Kanban").exists
  static let howToBuild = "the examples are not built: see Tests/README.md"

  private static let repository = RawPath(String(#filePath.dropLast("/Tests/ExampleTests/Example.swift".count)))

  private static func path(of name: String) -> RawPath {
    RawPath(Executables.directory).appending(RawPath(name))
  }

  /// The command that starts it.
  let command: String
  /// The commands that drop files into it, in order.
  let drops: [String]

  /// Reads the commands at the top of its source, and changes them to use a scratch directory and the built program.
  init(_ name: String, in scratch: Scratch) {
    let source = Self.repository.appending(RawPath("Examples/\(name)/\(name).swift"))
    let written = source.lines().prefix { $0.hasPrefix("//") }.filter { $0.hasPrefix("//     ") }
      .map { String($0.dropFirst("//     ".count)) }
    let folder = written.first?.split(separator: " ").last ?? ""
    let commands = written.map { command in
      command.replacing("swift run --package-path Examples \(name)", with: "exec '\(Self.path(of: name))'")
        .replacing(folder, with: scratch.string)
    }
    command = commands.first ?? "false"
    drops = Array(commands.dropFirst())
  }

  /// Runs an example in a scratch directory; it reads from a pipe `keys` there.
  static func run(_ name: String, _ body: (ZoneProgram, Example) async throws -> Void) async throws {
    try await Scratch.with { scratch in
      let example = Example(name, in: scratch)
      let program = ZoneProgram(
        ["/bin/bash", "-c", example.command], socket: scratch.path.appending("socket"),
        input: scratch.path.appending("keys"), in: scratch)
      try await program.shell("mkfifo keys")
      try await program.whileServing { program in try await body(program, example) }
    }
  }

  /// Runs one of its commands in the repository, as a reader would.
  func drop(_ command: String, in scratch: Scratch) async throws -> Command.Exit {
    try await Command.run(["/bin/bash", "-c", "cd '\(Self.repository)' && \(command)"], in: scratch).exit
  }
}

extension ZoneProgram {
  /// Puts a file into its zone, complete and under its final name at once.
  func put(_ location: String, _ text: String) async throws {
    let file = scratch.freshPath("new")
    try file.write(text)
    try await shell("mv \(file) drop/\(location)")
  }

  /// Starts to write a file into its zone, and closes it once `finish()` is called.
  func begin(_ location: String, _ text: String) async throws {
    let file = scratch.freshPath("new")
    try file.write(text)
    try await shell("mkfifo go; (exec 3> drop/\(location); cat \(file) >&3; read x < go) > /dev/null 2>&1 &")
  }

  func finish() async throws {
    try await shell("echo > go; rm go")
  }

  func holds(_ path: String) -> Bool { scratch.path.appending(RawPath(path)).exists }
}
