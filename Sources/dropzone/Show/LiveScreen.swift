import DropSystem

/// Uses the whole terminal while it exists, and restores the previous content afterwards.
struct LiveScreen: ~Copyable {
  init() {
    Output.text("\u{1B}[?1049h\u{1B}[?25l\u{1B}[H\u{1B}[J")
  }

  deinit {
    Output.text("\u{1B}[?25h\u{1B}[?1049l")
  }

  /// Draws over the previous content, in one write and without clearing the screen first, to avoid flicker.
  borrowing func show(_ lines: [String], rows: Int) {
    let shown = lines.count <= rows ? lines : Array(lines.prefix(max(0, rows - 1))) + ["…"]
    // Terminals that know the first and last sequences draw everything at once; others ignore them.
    let body = shown.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    Output.text("\u{1B}[?2026h\u{1B}[H" + body + "\u{1B}[J\u{1B}[?2026l")
  }
}
