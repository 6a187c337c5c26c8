/// An option of a command, which begins with two dashes.
struct Option: Hashable {
  let name: String
  /// The name of its value in help texts; nil if it takes none.
  let value: String?
  let summary: String

  init(_ name: String, _ value: String? = nil, _ summary: String) {
    self.name = name
    self.value = value
    self.summary = summary
  }

  /// The option as help texts show it, such as `--timeout T`.
  var shape: String { value.map { "\(name) \($0)" } ?? name }

  static let json = Option("--json", nil, "print JSON")
  static let watch = Option("--watch", nil, "keep running and show each change")
  static let follow = Option("--follow", nil, "keep running and show new receipts")
  static let since = Option(
    "--since", "T", "only from this time on: RFC 3339, a date, today, or an age such as 10min or 2h")
  static let timeout = Option("--timeout", "T", "give up after this long, such as 500ms, 30s or 5min")
  static let wait = Option("--wait", nil, "wait for the verdicts; exit with 1 if a file was refused")
  static let config = Option("--config", "DIR", "the directory that contains zones/NAME.zone")
}
