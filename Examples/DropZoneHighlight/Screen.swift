import Foundation

/// Shows a highlight: on a terminal as a picture that changes, elsewhere as one sentence per change.
struct Screen {
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private let hasColor = isUnset("NO_COLOR")
  private let isMotionReduced = !isUnset("REDUCE_MOTION")
  private var shown = ""

  mutating func show(_ highlight: Highlight) {
    let picture = Picture(highlight: highlight, hasColor: hasColor, isMotionReduced: isMotionReduced)
    // Start in the upper left corner, and replace what was there.
    let text = isTerminal ? "\u{1B}[H\u{1B}[J" + picture.lines.joined(separator: "\n") : highlight.label
    guard text != shown else { return }
    shown = text
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  private static func isUnset(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment[name, default: ""].isEmpty
  }
}
