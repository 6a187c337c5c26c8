/// A word that begins with two dashes.
struct Option: Hashable {
  let name: String
  /// What its value is called; nil when it has none.
  let value: String?
  let summary: String

  init(_ name: String, _ value: String? = nil, _ summary: String) {
    self.name = name
    self.value = value
    self.summary = summary
  }

  /// As it is written: `--timeout T`.
  var shape: String { value.map { "\(name) \($0)" } ?? name }

  static let json = Option("--json", nil, "print JSON, for programs")
  static let watch = Option("--watch", nil, "go on, and show each change")
  static let follow = Option("--follow", nil, "go on, and show each that is added")
  static let since = Option("--since", "T", "from then on: RFC 3339, a date, today, or an age such as 10min or 2h")
  static let timeout = Option("--timeout", "T", "give up after that long, such as 500ms, 30s or 5min")
  static let wait = Option("--wait", nil, "wait for the verdicts; exit 1 if one was refused")
  static let config = Option("--config", "DIR", "where the zone files are")
}
