import DropEngine
import Support

/// An article of the documentation, and its code as files for the compiler.
///
/// Every line keeps its number, so that compiler errors refer to lines of the article. A block with an import is a separate
/// file. The other blocks of an article are combined into one file: blocks with modifiers get a zone to apply them to, and
/// the first block that waits for something, and all blocks after it, are in a function.
struct Article {
  let name: String
  private let text: MarkdownFile

  static let catalogue = Compiler.repository.appending("Sources/DropZones/DropZones.docc")

  init(_ name: String) throws {
    self.name = name
    text = try MarkdownFile(Self.catalogue.appending(RawPath(name)))
  }

  private static func stands(alone block: MarkdownFile.Block) -> Bool {
    block.lines.contains { $0.drop { $0 == " " }.hasPrefix("import ") }
  }

  private static func waits(_ block: MarkdownFile.Block) -> Bool {
    block.lines.contains { !$0.hasPrefix(" ") && $0.contains("try await") }
  }

  var blocks: [MarkdownFile.Block] { text.blocks("swift") }

  var manifests: [String] { blocks.map(\.text).filter { $0.contains("import PackageDescription") } }

  /// The files to compile.
  var programs: [String] {
    let blocks = blocks.filter { !$0.text.contains("import PackageDescription") }
    var programs = blocks.filter(Self.stands).map { lines(of: [$0], opening: { _ in "" }).joined(separator: "\n") }
    let others = blocks.filter { !Self.stands(alone: $0) }
    if !others.isEmpty {
      let waiting = others.first(where: Self.waits)?.fence
      var program = lines(of: others) { block in
        if block.fence == waiting { return "func article() async throws {" }
        return block.text.hasPrefix(".") ? "let zone\(block.fence) = DropZone(\"a\", at: \"/a\", box: \"/b\")" : ""
      }
      program[0] = "import DropZones"
      programs.append(program.joined(separator: "\n") + (waiting == nil ? "\n" : "\n}\n"))
    }
    return programs
  }

  /// The lines of the blocks, at their positions in the article, with replacements for the opening fences.
  private func lines(of blocks: [MarkdownFile.Block], opening: (MarkdownFile.Block) -> String) -> [String] {
    var lines = Array(repeating: "", count: text.lines.count)
    for block in blocks {
      lines[block.fence - 1] = opening(block)
      lines.replaceSubrange(block.fence..<(block.fence + block.lines.count), with: block.lines)
    }
    return lines
  }
}
