import DropEngine
import Support

/// Runs the built tool against a server in this process.
extension ControlRig {
  /// Runs `dropzone` until it exits. Of our environment, it gets only PATH.
  func tool(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Result {
    try await Program.run(Executables.client, words(arguments), environment: Self.plain(environment))
  }

  /// Starts `dropzone` and leaves it running.
  func start(_ arguments: String..., environment: [String: String] = [:]) throws -> Program {
    try Program(Executables.client, words(arguments), environment: Self.plain(environment))
  }

  /// Makes a copy of the tool that every user may run, wherever the package was built.
  func openTool() async throws -> RawPath {
    let copy = RawPath(scratch.appending("dropzone-tool"))
    try await Program.run("/bin/cp", [RawPath(Executables.client), copy])
    try await Program.run("/bin/chmod", ["755", copy])
    return copy
  }

  private func words(_ arguments: [String]) -> [RawPath] {
    ["--socket", path] + arguments.map { RawPath($0) }
  }

  static func plain(_ environment: [String: String]) -> [String: String] {
    ["COLUMNS": "", "NO_COLOR": "", "TERM": "dumb"].merging(environment) { $1 }
  }
}
