internal import DropEngine

extension ZoneGroup {
  /// The handler that decides.
  static let handler = ZoneGroup(
    name: "Handler",
    keys: [
      ZoneKey("OnDrop", \.handler.command) { try $0.command() },
      ZoneKey("Mode", \.handler.mode) { try $0.choice() },
      ZoneKey("Timeout", \.handler.timeout) { try $0.time(atLeast: .milliseconds(10)) },
      ZoneKey("Attempts", \.handler.attempts) { try $0.count(1...1000) },
      ZoneKey("Workers", \.handler.workers) { try $0.count(1...256) },
      ZoneKey("Changes", \.handler.changes) { try $0.boolean() },
    ])
}
