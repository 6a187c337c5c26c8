import DropEngine
import Support
import Testing

/// Checks that the documentation is correct.
@Suite(.timeLimit(.minutes(5))) struct ArticleTests {
  private static let names = ((try? ScratchDirectory.names(in: Article.catalogue.description)) ?? [])
    .filter { $0.hasSuffix(".md") }

  @Test(arguments: names)
  func `every code block compiles`(name: String) async throws {
    let article = try Article(name)
    try await Scratch.with { scratch in
      for program in article.programs {
        let file = scratch.freshPath("article").appendingExtension("swift")
        try file.write(program)
        let complaints = try await Compiler.complaints(about: file)
        #expect(complaints.isEmpty, "\(name): \(complaints)")
      }
      for manifest in article.manifests {
        try scratch.path.appending("Package.swift").write(manifest)
        let end = try await Program.run(
          "/usr/bin/env", ["swift", "package", "--package-path", scratch.path, "dump-package"])
        #expect(end.status == 0, "\(name): \(end.errors)")
      }
    }
  }

  @Test func `there are articles with code`() throws {
    #expect(Self.names.count >= 6)
    #expect(try Self.names.flatMap { try Article($0).blocks }.count > 20)
  }

  @Test(.enabled(if: Compiler.hasDocC, "docc is not in this toolchain"))
  func `the catalogue builds, and all its links are valid`() async throws {
    try await Scratch.with { scratch in
      let graphs = scratch.path.appending("graphs")
      try graphs.makeDirectory()
      try await Compiler.writeSymbolGraphs(of: "DropZones", to: graphs)
      let end = try await Program.run(
        "/usr/bin/env",
        [
          "docc", "convert", Article.catalogue, "--additional-symbol-graph-dir", graphs, "--output-dir",
          scratch.path.appending("archive"), "--fallback-display-name", "DropZones", "--fallback-bundle-identifier",
          "DropZones", "--warnings-as-errors",
        ])
      #expect(end.status == 0, "\(end.output)\(end.errors)")
      #expect(!(end.output + end.errors).contains("warning:"), "\(end.output)\(end.errors)")
    }
  }
}

extension RawPath {
  fileprivate func appendingExtension(_ suffix: String) -> RawPath { RawPath("\(self).\(suffix)") }
}
