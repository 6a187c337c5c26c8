import DropEngine
import Support

/// The built examples: a package of their own, built by `Tests/run` or by hand.
enum Example {
  private static let repository = RawPath(String(#filePath.dropLast("/Tests/ExampleTests/Example.swift".count)))
  private static let directory = repository.appending(".build/examples/debug")

  static func path(of name: String) -> RawPath { directory.appending(RawPath(name)) }

  static let areBuilt = path(of: "Kanban").exists
  static let howToBuild = "not built: swift build --package-path Examples --scratch-path .build/examples"

  /// Runs one as its head comment says, in a folder with these directories.
  static func run(
    _ name: String, directories: [String] = ["drop"], input: String? = nil,
    _ body: (ZoneProgram) async throws -> Void
  ) async throws {
    try await Scratch.with { scratch in
      for name in directories { try scratch.path.appending(RawPath(name)).makeDirectory() }
      let program = ZoneProgram(
        [path(of: name).description, scratch.string], socket: scratch.path.appending("socket"),
        input: input.map { scratch.path.appending(RawPath($0)) } ?? "/dev/null", in: scratch)
      if let input { try await program.shell("mkfifo \(input)") }
      try await program.whileServing(body)
    }
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
