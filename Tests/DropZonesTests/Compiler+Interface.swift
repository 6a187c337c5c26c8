import DropEngine
import Support
import Testing

extension Compiler {
  /// The public declarations of a module, one per line, without comments.
  static func interface(of module: String) async throws -> [String] {
    let arguments =
      try await ["swift-synthesize-interface", "-module-name", module, "-target", target] + surroundings()
    let end = try await Program.run("/usr/bin/env", arguments.map { RawPath($0) })
    try #require(end.status == 0, "\(end.errors)")
    // It also prints internal imports, but nothing else that is internal.
    return end.output.split(separator: "\n").map(String.init).filter { line in
      let text = line.drop { $0 == " " }
      return !text.isEmpty && !text.hasPrefix("//") && !text.hasPrefix("import ")
    }
  }

  #if arch(arm64)
    static let target = "aarch64-unknown-linux-gnu"
  #else
    static let target = "x86_64-unknown-linux-gnu"
  #endif
}
