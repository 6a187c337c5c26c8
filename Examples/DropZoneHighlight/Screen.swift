import Foundation

/// Shows a highlight: on a terminal as a picture that changes, elsewhere a sentence for each change.
struct Screen {
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private let hasColor = isUnset("NO_COLOR")
  private let isMotionReduced = !isUnset("REDUCE_MOTION")
  private var shown = ""

  mutating func show(_ highlight: Highlight) {
    let text =
      isTerminal
      ? highlight.picture(hasColor: hasColor, isMotionReduced: isMotionReduced).joined(separator: "\n") + "\n"
      : highlight.label + "\n"
    guard text != shown else { return }
    shown = text
    let clear = isTerminal ? "\u{1B}[H\u{1B}[J" : ""
    FileHandle.standardOutput.write(Data((clear + text).utf8))
  }

  private static func isUnset(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment[name, default: ""].isEmpty
  }
}
