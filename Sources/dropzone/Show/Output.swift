import DropControl
import DropEngine
import DropSystem

/// Where the tool prints.
enum Output {
  static func line(_ text: some StringProtocol) {
    _ = Terminal.write(Array(text.utf8) + [UInt8(ascii: "\n")], to: Terminal.standardOutput)
  }

  static func text(_ text: String) {
    _ = Terminal.write(Array(text.utf8), to: Terminal.standardOutput)
  }

  /// One value on one line.
  static func json(_ value: some Encodable) {
    // What is printed is made of text and whole numbers, which JSON can hold.
    guard let bytes = try? VarlinkJSON.encode(value) else { return }
    _ = Terminal.write(bytes + [UInt8(ascii: "\n")], to: Terminal.standardOutput)
  }

  /// One line for whoever watches, apart from the output.
  static func complain(_ text: String) {
    let line = "dropzone: " + Shown.safe(text) + "\n"
    _ = Terminal.write(Array(line.utf8), to: Terminal.standardError)
  }

  static var isTerminal: Bool { Terminal.isTerminal(Terminal.standardOutput) }

  /// How wide lines may be: the terminal's width, or what COLUMNS says; nil when nobody minds.
  static var width: Int? {
    if let size = Terminal.size(of: Terminal.standardOutput) { return size.columns }
    return ProcessArguments.variable("COLUMNS")?.string.flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Colour on a terminal that has it, unless NO_COLOR says otherwise.
  static var style: Style {
    let isPlain = ProcessArguments.variable("NO_COLOR") != nil || ProcessArguments.variable("TERM") == "dumb"
    return Style(isColoured: isTerminal && !isPlain)
  }
}
