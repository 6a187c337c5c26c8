import DropControl
import DropEngine
import DropSystem

/// The output of the tool.
enum Output {
  static func line(_ text: some StringProtocol) {
    _ = Terminal.write(Array(text.utf8) + [UInt8(ascii: "\n")], to: Terminal.standardOutput)
  }

  static func text(_ text: String) {
    _ = Terminal.write(Array(text.utf8), to: Terminal.standardOutput)
  }

  /// Prints a value as JSON on one line.
  static func json(_ value: some Encodable) {
    // Encoding cannot fail, because the values consist of text and integers.
    guard let bytes = try? VarlinkJSON.encode(value) else { return }
    _ = Terminal.write(bytes + [UInt8(ascii: "\n")], to: Terminal.standardOutput)
  }

  /// Prints one line on standard error.
  static func complain(_ text: String) {
    let line = "dropzone: " + TerminalText.safe(text) + "\n"
    _ = Terminal.write(Array(line.utf8), to: Terminal.standardError)
  }

  static var isTerminal: Bool { Terminal.isTerminal(Terminal.standardOutput) }

  /// The width that lines should fit: the terminal's, or COLUMNS; nil if there is no limit.
  static var width: Int? {
    if let size = Terminal.size(of: Terminal.standardOutput) { return size.columns }
    return ProcessArguments.variable("COLUMNS")?.string.flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Coloured on a terminal that supports it, unless NO_COLOR is set.
  static var style: Style {
    let isPlain = ProcessArguments.variable("NO_COLOR") != nil || ProcessArguments.variable("TERM") == "dumb"
    return Style(isColoured: isTerminal && !isPlain)
  }
}
