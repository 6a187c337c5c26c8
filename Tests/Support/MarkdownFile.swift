package import DropEngine

/// A Markdown file, with access to its code blocks.
package struct MarkdownFile: Sendable {
  package let lines: [String]

  package init(_ path: RawPath) throws {
    lines = try path.contents().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// A fenced code block.
  package struct Block: Sendable {
    package let lines: [String]
    /// The number of the line with the opening fence, from 1.
    package let fence: Int

    package var text: String { lines.map { $0 + "\n" }.joined() }
  }

  /// The blocks of a language, either all or those in the section below a heading.
  package func blocks(_ language: String, below heading: String? = nil) -> [Block] {
    let level = heading?.prefix { $0 == "#" }.count ?? 0
    var blocks: [Block] = []
    var open: (fence: Int, isOurs: Bool)?
    let start = heading.map { lines.firstIndex(of: $0).map { $0 + 1 } ?? lines.count } ?? 0
    for (index, line) in lines.enumerated().dropFirst(start) {
      if let block = open {
        guard line == "```" else { continue }
        if block.isOurs { blocks.append(Block(lines: Array(lines[(block.fence)..<index]), fence: block.fence)) }
        open = nil
      } else if line.hasPrefix("```") {
        open = (index + 1, line == "```" + language)
      } else if line.hasPrefix("#"), line.prefix(while: { $0 == "#" }).count <= level {
        break
      }
    }
    return blocks
  }
}
