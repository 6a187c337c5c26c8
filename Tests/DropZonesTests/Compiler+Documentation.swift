import DropEngine
import Support

extension Compiler {
  /// Whether the toolchain contains the tools for documentation.
  static let hasDocC: Bool = {
    let directories = (Environment["PATH"] ?? "").split(separator: ":")
    return directories.contains { RawPath("\($0)/docc").exists && RawPath("\($0)/swift-symbolgraph-extract").exists }
  }()

  /// Writes the input for documentation: the public declarations of a module, with their comments.
  static func writeSymbolGraphs(of module: String, to directory: RawPath) async throws {
    let arguments =
      try await [
        "swift-symbolgraph-extract", "-module-name", module, "-target", target, "-minimum-access-level", "public",
        "-output-dir", directory.description,
      ] + surroundings()
    let end = try await Program.run("/usr/bin/env", arguments.map { RawPath($0) })
    guard end.status == 0 else { throw Command.Failure(description: end.errors) }
  }
}
