import DropSystem

/// The progress of a copy, shown only on a terminal.
struct ProgressBar {
  private let name: String
  private let total: Int64
  private let isShown = Terminal.isTerminal(Terminal.standardError)
  private let began = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// A copy that is faster than this does not need a bar.
  private static let patience = Duration.milliseconds(200)

  init(_ name: String, of total: Int64) {
    self.name = name
    self.total = total
  }

  mutating func show(_ done: Int64, at now: ContinuousClock.Instant = .now) {
    guard isShown, now - began > Self.patience, last.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
    last = now
    let columns = Terminal.size(of: Terminal.standardError)?.columns ?? 80
    let line = Self.line(name, done, of: total, spent: now - began, columns: columns - 1)
    _ = Terminal.write(Array("\r\(line)\u{1B}[K".utf8), to: Terminal.standardError)
  }

  func clear() {
    if last != nil { _ = Terminal.write(Array("\r\u{1B}[K".utf8), to: Terminal.standardError) }
  }

  /// `a.pdf  [████████        ]  45%  12 MB/s`
  static func line(_ name: String, _ done: Int64, of total: Int64, spent: Duration, columns: Int) -> String {
    // A file that grows while it is copied must not exceed 100 %.
    let share = total > 0 ? min(1, Double(done) / Double(total)) : 1
    let rate = Amounts.rate(Double(done) / max(spent / .seconds(1), 0.001))
    let numbers =
      "  \(TerminalText.pad("\(Int(share * 100))", 3, right: true))%  " + TerminalText.pad(rate, 9, right: true)
    let room = columns - TerminalText.width(numbers)
    let bar = max(0, min(40, room / 2 - 4))
    let filled = Int(share * Double(bar))
    let drawn = "  [" + String(repeating: "█", count: filled) + String(repeating: " ", count: bar - filled) + "]"
    let shown = bar > 3 ? drawn : ""
    return TerminalText.fit(
      TerminalText.fit(name, max(4, room - TerminalText.width(shown)), middle: true) + shown + numbers, columns)
  }
}
