import DropEngine

/// Measures and truncates text in terminal cells.
enum TerminalText {
  /// Escapes characters that control the terminal. The daemon escapes its texts too; this is a second line of defence.
  static func safe(_ text: String) -> String {
    !isPlain(text) && text.unicodeScalars.contains(where: controlsTerminal) ? Escaping.escape(text) : text
  }

  private static func controlsTerminal(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
  }

  /// The number of cells that `text` occupies.
  static func width(_ text: String) -> Int {
    isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  /// Whether each byte is one cell, as in most texts.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    let isEmoji = first.properties.isEmojiPresentation || character.unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// The blocks whose characters occupy two cells: Unicode's East_Asian_Width, W and F.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  /// Truncates `text` to `cells` cells, at the end, or in the middle so that a file name keeps its extension.
  static func fit(_ text: String, _ cells: Int, middle: Bool = false) -> String {
    guard width(text) > cells else { return text }
    guard cells > 1 else { return cells == 1 ? "…" : "" }
    let tail = middle ? suffix(of: text, (cells - 1) / 2) : ""
    return prefix(of: text, cells - 1 - width(tail)) + "…" + tail
  }

  private static func prefix(of text: String, _ cells: Int) -> String {
    var left = cells
    return String(
      text.prefix { character in
        left -= width(character)
        return left >= 0
      })
  }

  private static func suffix(of text: String, _ cells: Int) -> String {
    String(prefix(of: String(text.reversed()), cells).reversed())
  }

  /// Truncates or pads `text` to exactly `cells` cells.
  static func pad(_ text: String, _ cells: Int, right: Bool = false, middle: Bool = false) -> String {
    let text = fit(text, cells, middle: middle)
    let space = String(repeating: " ", count: max(0, cells - width(text)))
    return right ? space + text : text + space
  }
}
