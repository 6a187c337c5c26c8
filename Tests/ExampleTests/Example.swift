import DropEngine
import Support

/// An example, which `Tests/run` builds beside the tests, and what its first lines say about it.
struct Example {
  static let areBuilt = path(of: "Kanban").exists
  static let howToBuild = "the examples are not built: see Tests/README.md"

  private static let repository = RawPath(String(#filePath.dropLast("/Tests/ExampleTests/Example.swift".count)))

  private static func path(of name: String) -> RawPath {
    RawPath(Executables.directory).appending(RawPath(name))
  }

  /// Starts it.
  let command: String
  /// Drop things into it, one after another.
  let drops: [String]

  /// Its commands as they stand in the head of its source, but in a scratch directory and with what is built already.
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

  /// Runs one in a scratch directory, reading from a pipe `keys` in it.
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

  /// Runs one of its commands, where somebody would who reads it.
  func drop(_ command: String, in scratch: Scratch) async throws -> Command.Exit {
    try await Command.run(["/bin/bash", "-c", "cd '\(Self.repository)' && \(command)"], in: scratch).exit
  }
}

extension ZoneProgram {
  /// Puts a file into its zone, whole and under its final name at once.
  func put(_ location: String, _ text: String) async throws {
    let file = scratch.freshPath("new")
    try file.write(text)
    try await shell("mv \(file) drop/\(location)")
  }

  /// Starts to write a file into its zone, and goes on once `finish()` is called.
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
